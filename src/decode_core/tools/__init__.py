"""The tools: what each needs, does and reports. One module per family; `registry` gathers them."""

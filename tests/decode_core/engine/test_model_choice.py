"""Which model is chosen, and what the picker can say of each without a network."""

import pytest

from decode_core.engine.errors import ModelError
from decode_core.engine.model_choice import NamedModel, choose_model
from decode_core.engine.providers import PROVIDERS

LOCAL = {"local": NamedModel("qwen", "http://127.0.0.1:1/v1")}


@pytest.mark.parametrize(
    ("given", "chosen"),
    [
        ({}, "offline"),
        ({"models": LOCAL}, "local"),
        ({"models": LOCAL, "environ": {"DECODE_MODEL": "openai:gpt-5"}}, "openai:gpt-5"),
        ({"settings_model": "local", "models": LOCAL, "environ": {"DECODE_MODEL": "x:y"}}, "local"),
        ({"agent_model": "openai:gpt-5", "settings_model": "local", "models": LOCAL}, "openai:gpt-5"),
        ({"name": "offline", "agent_model": "openai:gpt-5"}, "offline"),
        ({"name": "script:a.yaml"}, "script:a.yaml"),
        ({"environ": {"OPENAI_API_KEY": "sk"}}, "offline"),
    ],
)
def test_flag_then_agent_then_settings_then_environment(given: dict[str, object], chosen: str) -> None:
    values: dict[str, object] = {"name": None, "models": {}, "environ": {}, **given}
    assert choose_model(**values).name == chosen  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["gpt-5", "script:", "nonsense"])
def test_a_name_without_a_provider_is_a_usage_error_that_says_how_to_write_it(name: str) -> None:
    with pytest.raises(ModelError) as raised:
        choose_model(name, LOCAL, environ={})
    assert raised.value.is_usage


def test_only_the_person_names_a_script() -> None:
    for given in ({"settings_model": "script:x.yaml"}, {"agent_model": "script:x.yaml"}):
        with pytest.raises(ModelError):
            choose_model(None, {}, environ={}, **given)
    with pytest.raises(ModelError):
        choose_model(None, {}, environ={"DECODE_MODEL": "script:x.yaml"})


def test_every_provider_can_say_whether_its_library_is_there() -> None:
    assert {provider.prefix: provider.is_installed for provider in PROVIDERS}["openai"] is True
    assert all(isinstance(provider.is_installed, bool) for provider in PROVIDERS)

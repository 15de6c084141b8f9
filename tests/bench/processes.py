"""Memory and processor time of a running process, read from /proc (Linux)."""

import time
from pathlib import Path


def rss_mib(pid: int) -> float:
    """Resident memory in MiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def cpu_s(pid: int) -> float:
    """Seconds of processor time of all threads so far, exact to the nanosecond where the kernel counts them."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def cpu_percent(pid: int, seconds: float) -> float:
    """Percent of one core that the process uses over the next `seconds`."""
    before, begun = cpu_s(pid), time.perf_counter()
    time.sleep(seconds)
    return (cpu_s(pid) - before) / (time.perf_counter() - begun) * 100

"""Whether this machine can run the extension, asked before it is loaded."""

from __future__ import annotations

import platform

# What x86-64-v3 has beyond any x86-64, as /proc/cpuinfo calls it. Linux enables AVX2 only where it
# saves its registers.
_FLAGS = {"x86-64-v3": ("avx2", "bmi2", "fma")}


def _cpu_flags() -> set[str]:
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as lines:
            for line in lines:
                if line.startswith("flags"):
                    return set(line.partition(":")[2].split())
    except OSError:
        pass
    return set()


def require_cpu(architecture: str) -> None:
    """Raise ImportError where an instruction of `architecture` would be illegal.

    Without /proc/cpuinfo nothing is known and nothing is raised.
    """
    wanted = _FLAGS.get(architecture, ())
    if not wanted or platform.machine() != "x86_64":
        return
    flags = _cpu_flags()
    missing = [flag for flag in wanted if flag not in flags]
    if flags and missing:
        raise ImportError(
            f"this build of rubric needs a CPU with AVX2, BMI2 and FMA ({architecture}), and this "
            f"one lacks {', '.join(missing)}\n"
            "  to do: build it for this one: "
            "pip install . -C cmake.define.RUBRIC_ARCHITECTURE=x86-64"
        )

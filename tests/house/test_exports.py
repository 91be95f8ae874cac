import importlib
from types import ModuleType

import pytest


def surface_faults(module: ModuleType) -> list[str]:
    """Say where `__all__` and the names a user can see differ; names resolved on first use count as visible."""
    listed: list[str] = list(module.__all__)
    visible = {
        name
        for name in dir(module)
        if not name.startswith("_") and not isinstance(getattr(module, name, None), ModuleType)
    }
    public = {name for name in listed if not name.startswith("_")}
    faults = [f"{name} is listed and missing" for name in listed if not hasattr(module, name)]
    faults += [f"{name} is visible and not listed" for name in sorted(visible - public)]
    faults += [f"{name} is listed and not in dir()" for name in sorted(public - visible) if hasattr(module, name)]
    faults += [f"{name} is a module" for name in listed if isinstance(getattr(module, name, None), ModuleType)]
    if listed != sorted(set(listed)):
        faults.append(f"not sorted, or a name twice: {listed}")
    return faults


def test_what_recollect_exports_is_what_one_sees() -> None:
    assert surface_faults(importlib.import_module("recollect")) == []


def module_with(listed: list[str], **names: object) -> ModuleType:
    module = ModuleType("planted")
    vars(module).update(names, __all__=listed)
    return module


@pytest.mark.parametrize(
    ("module", "fault"),
    [
        (module_with(["a"]), "a is listed and missing"),
        (module_with(["a"], a=1, b=2), "b is visible and not listed"),
        (module_with(["b", "a"], a=1, b=2), "not sorted, or a name twice: ['b', 'a']"),
        (module_with(["a", "a"], a=1), "not sorted, or a name twice: ['a', 'a']"),
        (module_with(["a"], __getattr__=lambda name: 1), "a is listed and not in dir()"),
        (module_with(["a"], a=ModuleType("a")), "a is a module"),
    ],
)
def test_a_fault_is_named(module: ModuleType, fault: str) -> None:
    assert fault in surface_faults(module)


def lazy(name: str) -> int:
    if name != "a":
        raise AttributeError(name)
    return 1


def test_a_name_resolved_on_first_use_is_visible() -> None:
    module = module_with(["__version__", "a"], __version__="1", __getattr__=lazy, __dir__=lambda: ["a", "__version__"])
    assert surface_faults(module) == []


def test_a_sound_module_has_no_fault() -> None:
    assert surface_faults(module_with(["a", "b"], a=1, b=2, _own=3, room=ModuleType("room"))) == []

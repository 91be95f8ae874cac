from pathlib import Path

import pytest

from tests.house import duplication, limits
from tests.house.tree import ROOT, Module, modules, own_modules

LONG_BODY = "\n".join(f"    value_{number} = {number}" for number in range(limits.FUNCTION_LINES))


def planted(root: Path, text: str, name: str = "src/recollect/planted.py") -> list[Module]:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return modules(root)


def methods(count: int, *, name: str = "verb", decorator: str = "") -> str:
    return "\n".join(f'    {decorator}\n    def {name}_{number}(self): "Promise."' for number in range(count))


class TestTheHouse:
    def test_files_are_short(self) -> None:
        assert limits.long_files(ROOT) == []

    def test_functions_are_short(self) -> None:
        assert limits.long_functions(own_modules()) == []

    def test_classes_have_few_public_methods(self) -> None:
        assert limits.wide_classes(own_modules()) == []

    def test_what_others_implement_is_explained(self) -> None:
        assert limits.silent_protocols(own_modules()) == []

    def test_signatures_name_their_values(self) -> None:
        places, total = limits.loose_signatures(own_modules())
        assert len(places) <= limits.LOOSE_SIGNATURES * total, places

    def test_file_locks_live_in_one_module(self) -> None:
        assert limits.stray_locks(own_modules()) == []

    def test_no_two_files_are_twins(self) -> None:
        assert duplication.twins(duplication.files(own_modules()), duplication.FILE_SHARE) == []

    def test_no_two_classes_are_twins(self) -> None:
        assert duplication.twins(duplication.classes(own_modules()), duplication.CLASS_SHARE) == []


class TestTheRules:
    """Every rule finds what is planted, and nothing where the limit is just kept."""

    @pytest.mark.parametrize(("folder", "limit"), limits.FILE_LINES.items())
    def test_long_file(self, tmp_path: Path, folder: str, limit: int) -> None:
        planted(tmp_path, "\n" * limit, f"{folder}/kept.py")
        planted(tmp_path, "\n" * (limit + 1), f"{folder}/broken.py")
        assert limits.long_files(tmp_path) == [f"{folder}/broken.py has {limit + 1} lines, the limit is {limit}"]

    def test_long_function(self, tmp_path: Path) -> None:
        kept = LONG_BODY.rpartition("\n")[0]
        text = f'def kept():\n    """One.\n\n    Two.\n    """\n{kept}\n\nasync def broken():\n{LONG_BODY}\n'
        [offence] = limits.long_functions(planted(tmp_path, text))
        assert "broken has 41 lines" in offence

    def test_long_signature_counts(self, tmp_path: Path) -> None:
        arguments = "\n".join(f"    argument_{number}," for number in range(limits.FUNCTION_LINES))
        assert limits.long_functions(planted(tmp_path, f"def broken(\n{arguments}\n): ...\n"))

    def test_wide_class(self, tmp_path: Path) -> None:
        text = f"class Kept:\n{methods(12)}\n{methods(3, name='_own')}\n{methods(3, name='test')}\n"
        text += f"{methods(3, name='part', decorator='@property')}\n\nclass Broken:\n{methods(13)}\n"
        [offence] = limits.wide_classes(planted(tmp_path, text))
        assert "Broken has 13 public methods, the limit is 12" in offence

    @pytest.mark.parametrize("base", ["Protocol", "typing.Protocol", "Protocol[T]"])
    def test_wide_protocol(self, tmp_path: Path, base: str) -> None:
        text = f"class Kept({base}):\n{methods(8)}\n\nclass Broken({base}):\n{methods(9)}\n"
        [offence] = limits.wide_classes(planted(tmp_path, text))
        assert "Broken has 9 public methods, the limit is 8" in offence

    def test_silent_protocol(self, tmp_path: Path) -> None:
        text = "class Seam(Protocol):\n    def run(self): ...\n\nclass Own:\n    def run(self): ...\n"
        [offence] = limits.silent_protocols(planted(tmp_path, text))
        assert "Seam.run has no docstring" in offence

    @pytest.mark.parametrize(
        "signature",
        ["(a: dict[str, Any])", "(*, a: list[dict[str, Any]])", "() -> dict[str, typing.Any]", "(**a: dict[str, Any])"],
    )
    def test_loose_signature(self, tmp_path: Path, signature: str) -> None:
        found = planted(tmp_path, f"def broken{signature}: ...\n\ndef kept(a: dict[str, int]) -> Any: ...\n")
        assert limits.loose_signatures(found) == (["src/recollect/planted.py:1 broken"], 2)

    @pytest.mark.parametrize("statement", ["import fcntl", "from msvcrt import locking", "import os, fcntl as f"])
    def test_stray_lock(self, tmp_path: Path, statement: str) -> None:
        planted(tmp_path, statement, limits.LOCK_MODULE)
        assert limits.stray_locks(modules(tmp_path)) == []
        assert len(limits.stray_locks(planted(tmp_path, f"def f():\n    {statement}\n"))) == 1


def twin(name: str, same: int, own: int, *, prefix: str = "") -> str:
    lines = [f"        {prefix}shared(one={number})" for number in range(same)]
    lines += [f"        {prefix}{name}(own={number})" for number in range(own)]
    return f"class {name.title()}:\n    async def run(\n        self,\n        a,\n    ):\n" + "\n".join(lines) + "\n"


class TestDuplication:
    def found(self, root: Path, left: str, right: str) -> tuple[list[str], list[str]]:
        planted(root, left, "src/recollect/left.py")
        pieces = planted(root, right, "src/recollect/right.py")
        return (
            duplication.twins(duplication.files(pieces), duplication.FILE_SHARE),
            duplication.twins(duplication.classes(pieces), duplication.CLASS_SHARE),
        )

    def test_asynchronous_copy_is_found(self, tmp_path: Path) -> None:
        files, classes = self.found(tmp_path, twin("left", 9, 11), twin("right", 9, 11, prefix="await "))
        assert len(files) == len(classes) == 1
        assert "left.py and src/recollect/right.py share 45%" in files[0]

    def test_shares_within_the_limits_pass(self, tmp_path: Path) -> None:
        assert self.found(tmp_path, twin("left", 5, 15), twin("right", 5, 15)) == ([], [])

    def test_files_are_held_tighter_than_classes(self, tmp_path: Path) -> None:
        files, classes = self.found(tmp_path, twin("left", 8, 12), twin("right", 8, 12))
        assert (len(files), classes) == (1, [])

    def test_imports_signatures_and_blanks_are_no_repetition(self, tmp_path: Path) -> None:
        imports = "\n".join(f"import module_{number}\n" for number in range(40))
        assert self.found(tmp_path, imports + twin("left", 0, 20), imports + twin("right", 0, 20)) == ([], [])

    def test_small_pieces_are_left_alone(self, tmp_path: Path) -> None:
        assert self.found(tmp_path, twin("left", 10, 4), twin("right", 10, 4)) == ([], [])

    def test_a_class_is_no_twin_of_the_class_it_holds(self, tmp_path: Path) -> None:
        inner = "\n".join(f"        field_{number} = {number}" for number in range(20))
        found = planted(tmp_path, f"class Outer:\n    class Inner:\n{inner}\n")
        assert duplication.twins(duplication.classes(found), duplication.CLASS_SHARE) == []

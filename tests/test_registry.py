"""One kind of table from names to import paths, for games, levels, guests and more."""

import pytest

from arena.registry import Registry, load, module_of


def no_digits(name: str) -> None:
    if not name.isalpha():
        raise ValueError(f"no name: {name}")


def registry() -> Registry:
    return Registry("{name!r} is {old}, not {new}", {"a": "m:A"}, no_digits)


def test_names_are_added_and_read_as_in_a_mapping() -> None:
    table = registry()
    table.register("b", "m.n:B")
    table.register("b", "m.n:B")
    assert dict(table) == {"a": "m:A", "b": "m.n:B"}
    assert ("a" in table, "c" in table, len(table)) == (True, False, 2)


def test_a_name_is_not_taken_twice() -> None:
    table = registry()
    with pytest.raises(ValueError, match=r"^'a' is m:A, not other:A$"):
        table.register("a", "other:A")
    with pytest.raises(ValueError, match=r"^no name: 1$"):
        table.register("1", "m:A")
    assert dict(table) == {"a": "m:A"}


def test_what_it_begins_with_stays_as_it_is() -> None:
    first = {"a": "m:A"}
    Registry("", first).register("b", "m:B")
    assert first == {"a": "m:A"}


def test_an_import_path_is_imported() -> None:
    assert load("collections.abc:Mapping").__name__ == "Mapping"
    assert module_of("collections.abc:Mapping") == "collections.abc"
    with pytest.raises(AttributeError):
        load("collections.abc:Nothing")

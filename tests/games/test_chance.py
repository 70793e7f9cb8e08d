"""Seeds and named chance streams."""

from collections import Counter
from itertools import pairwise

import pytest

from arena.games import derive_seed, uniform

# From an independent program: each part follows its length in 8 bytes, and
# `printf '\1\0\0\0\0\0\0\0a\1\0\0\0\0\0\0\0b' | b2sum -l 256` prints the second.
SEEDS = [
    ((), "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"),
    (("a", "b"), "a8e8207a89c64c204a243d3df5a8e6c1bb36ff9a907abb8e7c825bf58e161491"),
    (
        ("league", 1, b"x"),
        "c9f44e1ab4abe85965659eec2cd4270b47b0f03d4690f5c8644aa8c236f26a3a",
    ),
]


@pytest.mark.parametrize(("parts", "digest"), SEEDS)
def test_seeds_are_the_same_everywhere(
    parts: tuple[str | int | bytes, ...], digest: str
) -> None:
    assert derive_seed(*parts).hex() == digest


# `openssl mac -in FILE -macopt hexkey:… -macopt size:8 BLAKE2BMAC` gives the same.
@pytest.mark.parametrize(
    ("seed", "stream", "number"),
    [
        (bytes(32), "seat 0 turn 1 roll 1", "0x1.c1da008b99f16p-1"),
        (bytes(32), "", "0x1.efb2e233c9bf4p-2"),
        (derive_seed("fixture", 7), "deal", "0x1.c44bb73a98f4ap-2"),
    ],
    ids=["roll", "no name", "deal"],
)
def test_streams_are_the_same_everywhere(seed: bytes, stream: str, number: str) -> None:
    assert uniform(seed, stream).hex() == number


def test_parts_do_not_run_together() -> None:
    parts: list[tuple[str | int | bytes, ...]] = [
        ("ab",),
        ("a", "b"),
        ("b", "a"),
        ("", "ab"),
        ("ab", ""),
        ("a", "b", ""),
        (1, 23),
        (12, 3),
    ]
    assert len({derive_seed(*p) for p in parts}) == len(parts)


def test_a_number_is_the_same_as_its_digits() -> None:
    assert derive_seed(12) == derive_seed("12") == derive_seed(b"12")


def test_numbers_are_multiples_of_two_to_the_minus_53() -> None:
    for i in range(1000):
        u = uniform(b"seed", f"roll {i}")
        assert 0.0 <= u < 1.0
        assert (u * 2.0**53).is_integer()


# Bounds are the 99.9 % points of chi-square with 19 degrees of freedom.


@pytest.mark.parametrize("seed", [derive_seed(i) for i in range(3)])
def test_names_give_uniform_numbers(seed: bytes) -> None:
    numbers = 20_000
    names = (f"seat {i % 2} turn {i // 6} roll {i % 3}" for i in range(numbers))
    bins = Counter(int(20 * uniform(seed, name)) for name in names)
    expected = numbers / 20
    assert sum((bins[i] - expected) ** 2 / expected for i in range(20)) < 43.82


def test_seeds_give_uniform_numbers_to_one_name() -> None:
    numbers = 20_000
    bins = Counter(
        int(20 * uniform(derive_seed("fixture", i), "roll")) for i in range(numbers)
    )
    expected = numbers / 20
    assert sum((bins[i] - expected) ** 2 / expected for i in range(20)) < 43.82


def test_neighbouring_names_are_independent() -> None:
    u = [uniform(b"seed", f"roll {i}") for i in range(20_001)]
    mean = sum((a - 0.5) * (b - 0.5) for a, b in pairwise(u)) / 20_000
    # The standard deviation of the mean is 1 / 12 / sqrt(20,000).
    assert abs(mean) < 4 / 12 / 20_000**0.5

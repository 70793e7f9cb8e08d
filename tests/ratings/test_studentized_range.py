"""The studentised range against the library's, and against what is tabulated."""

from math import inf

import pytest
from scipy.stats import studentized_range

from arena.ratings._studentized_range import probability, quantile


@pytest.mark.parametrize("df", [1, 3, 40, inf])
@pytest.mark.parametrize("k", [2, 12, 300])
def test_it_is_the_librarys(k: int, df: float) -> None:
    q = quantile(0.9894, k, df)
    assert probability(q, k, df) == pytest.approx(0.9894, abs=1e-10)
    for part in (q, q / 2.0):
        # The library's own integral is good to some 1e-7 only.
        expected = studentized_range.cdf(part, k, df)
        assert probability(part, k, df) == pytest.approx(expected, abs=2e-6)


def test_many_degrees_of_freedom_are_nearly_infinite() -> None:
    # The library takes them for infinite.
    assert quantile(0.95, 20, 1e7) == pytest.approx(quantile(0.95, 20, inf), abs=1e-5)
    assert quantile(0.95, 20, 1e7) > quantile(0.95, 20, inf)


@pytest.mark.parametrize(
    ("k", "df", "q"),
    # E. S. Pearson and H. O. Hartley, Biometrika Tables for Statisticians, table 29.
    [(2, 1, 17.97), (3, 5, 4.60), (10, 20, 5.01), (20, 60, 5.24), (20, inf, 5.01)],
)
def test_it_is_what_is_tabulated(k: int, df: float, q: float) -> None:
    assert quantile(0.95, k, df) == pytest.approx(q, abs=0.006)

"""`ratings.json`: all that is needed to compare any two bots, and to do it anew.

Numbers are rounded far below what anybody can know, so that the last bits of a
machine's arithmetic don't show.
"""

from collections.abc import Iterable
from math import isinf
from typing import Any

import msgspec
import numpy as np

from arena.ratings import Fit
from arena.ratings.claims import Strengths
from arena.ratings.elo.pool import Floats
from arena.reports.report import Report

_SIGNIFICANT_DIGITS = 6
_MAX_DECIMALS = 3
_SHARE_DECIMALS = 9


def ratings_json(report: Report) -> str:
    """Return the fits of each label; `results/README.md` has the form.

    One line for each fit, as a league of many bots has millions of numbers.
    """
    anchor = None
    if report.anchor is not None:
        anchor = dict(zip(("bot", "elo"), report.anchor, strict=True))
    head = {"league": report.league, "anchor": anchor, "weights": report.weights}
    labels = _object(
        (
            board.label.label,
            _object(
                (
                    ("elo", _fit(board.fits.fit)),
                    ("confirmed", _fit(board.fits.confirmed)),
                    ("results", _fit(board.fits.results)),
                )
            ),
        )
        for board in report.boards
        if board.fits is not None
    )
    members = ((name, _line(value)) for name, value in head.items())
    overall = _overall(report.overall, report.shares)
    return _object((*members, ("overall", overall), ("labels", labels))) + "\n"


def _object(members: Iterable[tuple[str, str]]) -> str:
    """Return an object with a line for each of its members, which are encoded."""
    lines = ",\n".join(f"{_line(name)}:{value}" for name, value in members)
    return f"{{\n{lines}\n}}"


def _overall(found: Strengths | None, shares: tuple[float, ...]) -> str:
    if found is None:
        return "null"
    return _line(
        {
            "bots": found.entries,
            "elo": _numbers(found.elo),
            "shares": [round(share, _SHARE_DECIMALS) for share in shares] or None,
            "variance": _numbers(found.variance),
            "df": _numbers(np.broadcast_to(found.df, found.variance.shape)),
            "looks": found.looks,
        }
    )


def _fit(fit: Fit | None) -> str:
    if fit is None:
        return "null"
    return _line(
        {
            "games": fit.games,
            "clusters": fit.clusters,
            "bots": [rating.entry for rating in fit.ratings],
            "elo": _numbers(np.array([rating.elo for rating in fit.ratings])),
            "few": fit.few,
            "seats": [
                {"players": term.players, "seat": term.seat} for term in fit.seat_terms
            ],
            "seat_elo": _numbers(np.array([term.elo for term in fit.seat_terms])),
            "df": None if isinf(fit.df) else fit.df,
            "anchored": fit.anchored,
            "pools": fit.components,
            "middle": fit.middle,
            "limits": fit.limits.tolist(),
            "phantoms": _numbers(np.array(fit.phantoms)),
            "covariance": _numbers(fit.covariance),
            "curvature": _numbers(fit.curvature),
        }
    )


def _numbers(numbers: Floats) -> list[Any]:
    """Return numbers to six digits, and none of them finer than .001.

    None stands for those that are infinite.
    """
    numbers = np.asarray(numbers, np.float64)
    size = np.where(np.isfinite(numbers), np.abs(numbers), 0.0)
    digits = np.floor(np.log10(size, out=np.zeros(size.shape), where=size > 0.0))
    unit = 10.0 ** np.clip(_SIGNIFICANT_DIGITS - 1.0 - digits, 0.0, _MAX_DECIMALS)
    # Adding zero turns -0.0 into 0.0.
    found = np.rint(numbers * unit) / unit + 0.0
    known = found.astype(object)
    known[~np.isfinite(found)] = None
    told: list[Any] = known.tolist()
    return told


def _line(value: Any) -> str:
    return msgspec.json.encode(value).decode()

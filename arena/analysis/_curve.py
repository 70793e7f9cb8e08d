"""An S-shaped curve from 0 to 1 that is the same to the last bit on any machine."""

from math import sqrt


def chance_above(lead: float, variance: float) -> float:
    """Return the chance that a lead, uncertain by so much, ends above 0.

    The distribution function of Student's t with 4 degrees of freedom, which is close
    to the normal one and, other than that, needs no more than a square root.
    """
    x = lead / sqrt(4.0 * variance + lead * lead)
    return 0.5 + x * (0.75 - 0.25 * x * x)

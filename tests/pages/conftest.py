"""What the tests of the pages share."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "reports"))

from browser import browser, page, page_alone, shared

__all__ = ["browser", "page", "page_alone", "shared"]

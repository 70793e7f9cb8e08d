"""A league's pages: a folder of HTML that opens from a disk, without a network."""

from arena.reports.pages.slugs import slug
from arena.reports.pages.write import write_pages

__all__ = ["slug", "write_pages"]

"""A real browser that opens pages from the disk, and tolerates nothing wrong."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

# However busy the machine is.
expect.set_options(timeout=60_000)
WIDTHS = {"phone": 360, "laptop": 1280, "projector": 1920}
VIEWPORT: ViewportSize = {"width": WIDTHS["laptop"], "height": 800}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium, without a window."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("there is no chromium here (install the system's package)")
    with sync_playwright() as playwright:
        try:
            # Root, as in a container, has no sandbox of Chromium's to give.
            options = ["--no-sandbox", "--disable-gpu"]
            found = playwright.chromium.launch(executable_path=path, args=options)
        except Error as error:
            pytest.skip(f"chromium does not start here ({str(error).splitlines()[0]})")
        yield found
        found.close()


@pytest.fixture(scope="session")
def shared(browser: Browser) -> Iterator[BrowserContext]:
    """What most pages are opened in: nothing that they show keeps anything."""
    with browser.new_context(viewport=VIEWPORT) as context:
        yield context


@pytest.fixture
def page(
    shared: BrowserContext, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Page]:
    """An empty page; in the end, nothing may have gone wrong on what it has shown."""
    with _watched(shared, tmp_path_factory) as page:
        yield page


@pytest.fixture
def page_alone(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Page]:
    """The same, for a test that changes its clock, which is shared too."""
    with (
        browser.new_context(viewport=VIEWPORT) as context,
        _watched(context, tmp_path_factory) as page,
    ):
        yield page


@contextmanager
def _watched(
    context: BrowserContext, folders: pytest.TempPathFactory
) -> Iterator[Page]:
    """Open a page; in the end, fail if anything has gone wrong.

    That is: a message of the console, an exception, or a request for anything but a
    file below the temporary folder of the tests.
    """
    root = folders.getbasetemp().resolve()
    wrong: list[str] = []
    shown = context.new_page()
    shown.on("console", lambda m: wrong.append(f"console: {m.text}"))
    shown.on("pageerror", lambda e: wrong.append(f"page error: {e}"))
    shown.on("requestfailed", lambda r: wrong.append(f"failed: {r.url}"))

    def check(url: str) -> None:
        parts = urlsplit(url)
        inside = Path(unquote(parts.path)).is_relative_to(root)
        if not (
            parts.scheme in ("data", "blob") or (parts.scheme == "file" and inside)
        ):
            wrong.append(f"leaves the folder: {url}")

    shown.on("request", lambda request: check(request.url))
    yield shown
    shown.close()
    assert not wrong, wrong


def scrolls_sideways(page: Page) -> bool:
    return bool(
        page.evaluate("document.scrollingElement.scrollWidth > window.innerWidth")
    )

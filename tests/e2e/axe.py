"""axe-core in a page: what it finds against WCAG 2.2 AA and its own good practice."""

from functools import cache

from playwright.sync_api import Page

from tests.support.server import ROOT

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => {
  const result = await axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    resultTypes: ['violations'],
  });
  return result.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} (${node.any.map((each) => each.message)})`));
}"""


@cache
def _source() -> str:
    return AXE.read_text()


def findings(page: Page) -> list[str]:
    """Return what axe finds on a page, one line a place. It comes in past the page's CSP."""
    page.evaluate(_source())
    found: list[str] = page.evaluate(RUN)
    return found

"""Sphinx's configuration for the site; `python -m booksite` writes the pages."""

import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from refengine.lawbook.book import SPEC, registry
from refengine.lawbook.reading import chapter_files
from refengine.lawbook.spoken import spoken_options, spoken_profiles

project = "Hearts, rule by rule"
html_title = "Hearts, rule by rule"
copyright = "the refengine authors, MIT licence"  # noqa: A001 (Sphinx reads this name)
version = release = registry()["version"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["static", "templates"]
templates_path = ["templates"]
default_role = "code"
highlight_language = "text"  # of code for which no language is named
nitpicky = False

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["faces.css", "site.css"]
html_js_files = ["site.js"]
html_additional_pages = {"ask": "ask.html"}
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/ask.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_context = {
    "chapters": json.dumps(
        {path.name.partition("-")[0]: path.stem for path in chapter_files(SPEC)}
    )
}
html_use_index = False  # search finds a name, and its page is not a wall of them
html_domain_indices = False
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # read by fetch, which a file:// page may not use
html_favicon = "static/favicon.svg"
html_theme_options = {
    "top_of_page_buttons": [],
    "light_css_variables": {
        "color-highlight-on-target": "#fbf3dc",
        "color-brand-primary": "#8c1a2b",
        "color-brand-content": "#8c1a2b",
        "color-brand-visited": "#6b2a4f",
    },
    "dark_css_variables": {
        "color-highlight-on-target": "#2c2614",
        "color-brand-primary": "#ff9aa6",
        "color-brand-content": "#ff9aa6",
        "color-brand-visited": "#e0a6cf",
    },
}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
toc_object_entries_show_parents = "hide"
myst_heading_anchors = 3

_NAMES = {
    "options": {one.name: option for option, one in spoken_options().items()},
    "profiles": {one.name: profile for profile, one in spoken_profiles().items()},
}
_CLAUSE = re.compile(r"([0-9]{1,2}\.[1-9][0-9]*[a-z]?) ")


class Anchors(SphinxTransform):
    """Turn clause numbers and the names of options and profiles into anchors."""

    default_priority = 870  # before the page is announced as read, at 880

    def apply(self, **kwargs: Any) -> None:
        """Give each section of a clause, option or profile its number or name as id."""
        page = self.env.docname
        for section in self.document.findall(nodes.section):
            title = section[0].astext()
            found = _CLAUSE.match(title)
            if found:
                section["ids"] = [found[1]]
            elif title in _NAMES.get(page, {}):
                section["ids"] = [_NAMES[page][title]]


def own_names(app: Sphinx, env: Any) -> None:
    """Link the source of a module to the module's own page, if it has one.

    Names imported into `refengine` are documented there as well, and Sphinx's viewcode
    links the source of a file to one page only.
    """
    documented = env.get_domain("py").modules
    for name, entry in getattr(env, "_viewcode_modules", {}).items():
        if entry is False or name not in documented:
            continue
        code, tags, used, _ = entry
        pages = set(used.values()) - {"api-game"}
        if pages:
            page = min(pages)
            env._viewcode_modules[name] = (code, tags, dict.fromkeys(used, page), name)


def heading_levels(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    """Give the headings in the navigation the level that screen readers need."""
    tree = context.get("furo_navigation_tree")
    if tree:
        context["furo_navigation_tree"] = tree.replace(
            'role="heading"', 'role="heading" aria-level="2"'
        )


_DRAWERS = {"sidebar-drawer": "The site", "toc-drawer": "On this page"}


def name_drawers(app: Sphinx, fault: Exception | None) -> None:
    """Give the two sidebars of every page a label, which the theme does not."""
    for path in Path(app.outdir).rglob("*.html"):
        text = path.read_text("utf-8")
        for kind, name in _DRAWERS.items():
            bare = f'<aside class="{kind}'
            text = text.replace(bare, f'<aside aria-label="{name}" class="{kind}')
        path.write_text(text, "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the anchors, and the fixes to source links, headings and drawers."""
    app.add_transform(Anchors)
    app.connect("env-updated", own_names)
    app.connect("html-page-context", heading_levels, priority=900)
    app.connect("build-finished", name_drawers)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

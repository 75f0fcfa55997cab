"""Markdown of an answer → HTML that is safe to show.

The text comes from a model and may hold anything. Raw HTML is never let through; what markdown-it makes is cleaned
again by a list of allowed tags; images are dropped, since fetching one tells a stranger what was in the answer.
"""

import re

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

MAX_HIGHLIGHTED = 20_000  # characters of one code block; longer ones are shown plain
TAGS = {
    *("p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "strong", "em", "s", "blockquote", "ul", "ol", "li"),
    *("code", "pre", "span", "div", "table", "thead", "tbody", "tr", "th", "td", "a"),
}
CODE_CLASSES = re.compile(r"^(highlight|[a-z]{1,2}[a-z0-9]{0,2})$")
_formatter = HtmlFormatter(nowrap=True)


def _highlight(code: str, language: str, _attributes: str) -> str:
    """The inside of a code block as spans with classes, or "" for markdown-it to escape it itself."""
    if not language or len(code) > MAX_HIGHLIGHTED:
        return ""
    try:
        return highlight(code, get_lexer_by_name(language), _formatter)
    except ClassNotFound:
        return ""


_markdown = (
    MarkdownIt("commonmark", {"html": False, "linkify": True, "breaks": True, "highlight": _highlight})
    .enable(["table", "strikethrough", "linkify"])
    .disable("image")
)


def _attribute(tag: str, name: str, value: str) -> str | None:
    if name == "class":
        return " ".join(part for part in value.split() if tag == "span" and CODE_CLASSES.match(part)) or None
    return value


def render(text: str) -> SafeString:
    """Safe HTML of a Markdown text. Links open without a referrer, count for no search engine and keep http(s) and mailto only."""
    html = nh3.clean(
        _markdown.render(text),
        tags=TAGS,
        attributes={"a": {"href", "title"}, "span": {"class"}, "ol": {"start"}},
        attribute_filter=_attribute,
        # What can be wider than the page scrolls, so the keyboard must be able to reach it.
        set_tag_attribute_values={"pre": {"tabindex": "0"}, "table": {"tabindex": "0"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
    return mark_safe(html)  # noqa: S308 - cleaned above

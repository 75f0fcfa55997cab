"""The text inside an uploaded file, whatever its encoding; a clear BadInput where there is none."""

import io
import re
from collections.abc import Callable
from pathlib import PurePath

from django.utils.translation import gettext as _

from chat.errors import BadInput
from chat.memory.text import is_blank

LARGEST_FILE = 10 * 1024 * 1024  # bytes
MOST_PAGES = 3000
# Frequent characters tell the two old Chinese encodings apart, which decode each other's bytes without complaint.
_FREQUENT = re.compile("[的一是不了在人有我他这这個中大来上为和之也者以其所而於于無无]")
_ODD = re.compile("[\ue000-\uf8ff\ufffd\x00-\x08\x0e-\x1f]")


def text_of(data: bytes, name: str) -> str:
    """The text of a .md, .txt or .pdf file.

    Raises BadInput: unsupported_type, empty_file, too_large, not_a_pdf, not_text.
    """
    read = _READERS.get(PurePath(name).suffix.lower())
    if read is None:
        raise BadInput("unsupported_type", _("Only .md, .txt and .pdf files can be read."), types=sorted(_READERS))
    if len(data) > LARGEST_FILE:
        limit = LARGEST_FILE // (1024 * 1024)
        raise BadInput("too_large", _("The file is larger than %(limit)s MB.") % {"limit": limit}, limit=LARGEST_FILE)
    text = read(data) if data.strip() else ""
    if is_blank(text):
        raise BadInput("empty_file", _("There is no text in this file."))
    return text


def _plain(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        decoded = [_decoded(data, "utf-16")]
    else:
        decoded = [_decoded(data, "utf-8-sig")]
    if decoded == [None]:
        decoded = sorted((_decoded(data, "gb18030"), _decoded(data, "big5")), key=_plausible, reverse=True)
    text = decoded[0]
    if text is None or _ODD.search(text):
        raise BadInput("not_text", _("This file is not text, or in an unknown encoding. Please save it as UTF-8."))
    return text


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _plausible(text: str | None) -> float:
    """The share of frequent characters; −1 for none at all."""
    return -1.0 if text is None else len(_FREQUENT.findall(text)) / max(len(text), 1)


def _pdf(data: bytes) -> str:
    """Page by page; a blank line between pages would cut sentences, so there is none."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    if b"%PDF-" not in data[:1024]:
        raise BadInput("not_a_pdf", _("This file is not a PDF."))
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise BadInput("not_a_pdf", _("This PDF is locked with a password."))
        text = "\n".join(page.extract_text() or "" for page in reader.pages[:MOST_PAGES])
    except BadInput:
        raise
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError):
        # pypdf meets broken files with whatever its parsing runs into.
        raise BadInput("not_a_pdf", _("This PDF is damaged and can't be read.")) from None
    return text.replace("\x00", "")


_READERS: dict[str, Callable[[bytes], str]] = {".md": _plain, ".txt": _plain, ".pdf": _pdf}

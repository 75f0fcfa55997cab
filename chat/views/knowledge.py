"""The knowledge base for staff: files are brought in, several at once, and one sees how far each of them is."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from chat.forms import UploadForm
from chat.models import Document
from chat.views.ops import staff_only

SHOWN = 30


@staff_only
@never_cache
@require_http_methods(["GET", "POST"])
def knowledge(request: HttpRequest) -> HttpResponse:
    """GET reads itself anew while vectors are being made. POST takes files; one that can't be read keeps no other out."""
    if not request.user.has_perm("chat.view_document"):
        raise PermissionDenied
    refused = _take_in(request) if request.method == "POST" else []
    if request.method == "POST" and not refused:
        return redirect("knowledge")
    documents = Document.objects.counted().order_by("builtin", "-updated_at", "-pk")
    shown = list(documents[:SHOWN])
    context = {
        "documents": shown,
        "more": documents.count() - len(shown),
        "busy": any(document.embedded_count < document.passage_count for document in shown),
        "refused": refused,
    }
    return render(request, "ops/knowledge.html", context, status=422 if refused else 200)


def _take_in(request: HttpRequest) -> list[tuple[str, str]]:
    """The names of files that were refused, each with the reason."""
    if not request.user.has_perm("chat.add_document"):
        raise PermissionDenied
    files, refused = request.FILES.getlist("file"), []
    for file in files or [None]:
        form = UploadForm({}, {"file": file} if file else {})
        if not form.is_valid():
            refused.append((file.name if file else "", " ".join(form.errors.get("file", []))))
    if taken := len(files) - len(refused):
        told = ngettext("%(count)d document is here.", "%(count)d documents are here.", taken)
        messages.success(request, told % {"count": taken})
    return refused

"""Who a row belongs to, as far as the reader may know."""

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import BooleanField, Value
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

PERMISSION = "chat.view_identity"


def pseudonym(user_id: int) -> str:
    """The same for the same user on every page, and nothing that leads back to them."""
    return _("User #%(mark)s") % {"mark": salted_hmac("chat.pseudonym", str(user_id)).hexdigest()[:6]}


def name_for(owner: User | None, *, may_name: bool) -> str:
    if owner is None:
        return "–"
    return owner.get_username() if may_name else pseudonym(owner.pk)


class PseudonymousAdmin(admin.ModelAdmin):
    """Rows of users. `who` in list_display names the owner as the reader may see it.

    owner: the path to them. related: what a row of the list needs, the owner among it.
    """

    class Media:
        css = {"all": ["css/admin.css"]}

    owner = "user"
    related: tuple[str, ...] = ("user",)

    def get_queryset(self, request):
        """Each row knows whether this reader may know its owner: the admin object itself serves many readers at once."""
        may_name = Value(request.user.has_perm(PERMISSION), output_field=BooleanField())
        return super().get_queryset(request).select_related(*self.related).annotate(may_name=may_name)

    @admin.display(description=gettext_lazy("whose"))
    def who(self, row) -> str:
        owner = row
        for name in self.owner.split("__"):
            owner = getattr(owner, name)
        return name_for(owner, may_name=row.may_name)

    def get_search_fields(self, request):
        names = list(super().get_search_fields(request))
        return [*names, f"{self.owner}__username"] if request.user.has_perm(PERMISSION) else names

    def has_add_permission(self, request) -> bool:
        return False

    def has_delete_permission(self, request, obj=None) -> bool:
        return False


class ReadOnlyAdmin(PseudonymousAdmin):
    """Rows to look at."""

    def has_change_permission(self, request, obj=None) -> bool:
        return False

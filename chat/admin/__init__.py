"""The staff's pages: the conflict queue, the knowledge base, work that gave up, and records to look things up in.

Staff act through the same verbs as users, with Actor.staff, and must give a reason. Users are pseudonyms unless the
staff member has the permission `chat.view_identity`. Nothing can be deleted in bulk.
"""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from chat.admin import conflicts, jobs, knowledge, records  # noqa: F401  (each registers its pages)

admin.site.site_header = admin.site.site_title = _("Xinji for staff")
admin.site.index_title = _("Review and upkeep")
admin.site.disable_action("delete_selected")

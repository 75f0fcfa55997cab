from django.contrib import admin
from django.urls import include, path

from memoryapp.api import api

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/", api.urls),
    path("", include("chat.urls")),
]

handler400 = "chat.views.errors.bad_request"
handler403 = "chat.views.errors.forbidden"
handler404 = "chat.views.errors.not_found"
handler500 = "chat.views.errors.server_error"

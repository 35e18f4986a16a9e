"""Addresses of the site."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("games.urls")),
]

handler400 = "games.web.errors.bad_request"
handler403 = "games.web.errors.permission_denied"
handler404 = "games.web.errors.page_not_found"
handler500 = "games.web.errors.server_error"

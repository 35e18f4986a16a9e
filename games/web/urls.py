"""Addresses of the pages."""

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.views.decorators.csrf import ensure_csrf_cookie


@ensure_csrf_cookie
def home(request: HttpRequest, code: str = "") -> HttpResponse:
    return HttpResponse("home")


urlpatterns: list[URLPattern] = [
    path("", home, name="home"),
    path("races/<str:code>/", home, name="race"),
]

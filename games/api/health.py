"""/healthz: the process is up."""

from django.http import HttpRequest, HttpResponse


def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200; nothing is asked of the stores."""
    return HttpResponse("ok\n", content_type="text/plain")

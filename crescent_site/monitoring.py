"""What watches the service asks by any name and without TLS, from inside the network."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from games.api.health import healthz, readyz
from games.api.metrics import metrics

ADDRESSES = {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics}


class Monitoring:
    """Middleware before all others: no host check, no redirect to TLS, no session."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer what watches, pass everything else on."""
        return ADDRESSES.get(request.path, self._get_response)(request)

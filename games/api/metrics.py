"""/metrics: what this process has counted, in the text format of Prometheus."""

from django.http import HttpRequest, HttpResponse
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from games import meters


def metrics(request: HttpRequest) -> HttpResponse:
    """Answer with all numbers; each process has its own, and a proxy keeps them from the world."""
    return HttpResponse(generate_latest(meters.registry), content_type=CONTENT_TYPE_LATEST)

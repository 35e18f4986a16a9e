"""What goes wrong is told in the reader's language, in JSON under /api/, and never as a trace."""

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest
from django.test import Client, RequestFactory
from pytest_django import Settings

from games.services.denied import Denial
from games.web import errors, rules
from games.web.reasons import TEXTS
from tests.web.scenes import LANGUAGES, text_of

NOT_FOUND = {"en": "Page not found", "uk": "Сторінки немає", "vi": "Không có trang này"}
BROKEN = {"en": "Something broke here", "uk": "Тут щось зламалося", "vi": "Có gì đó vừa hỏng"}


def test_every_reason_has_a_text() -> None:
    assert set(TEXTS) == set(Denial)


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_that_is_not_there(client: Client, language: str) -> None:
    response = client.get("/nowhere/", headers={"accept-language": language})
    assert response.status_code == 404
    assert f"<h1>{NOT_FOUND[language]}</h1>" in text_of(response)
    assert 'class="site"' in text_of(response)


@pytest.mark.django_db
def test_under_api_everything_is_json(client: Client) -> None:
    response = client.get("/api/nowhere")
    assert response.status_code == 404
    assert response.json()["reason"] == "not_found"
    strict = Client(enforce_csrf_checks=True)
    response = strict.post("/api/guest", {"name": "Anh"}, content_type="application/json")
    assert response.status_code == 403
    assert set(response.json()) == {"reason", "detail"}


@pytest.mark.django_db
def test_a_form_without_its_token_is_refused_with_advice() -> None:
    strict = Client(enforce_csrf_checks=True)
    response = strict.post("/alone/", {"deal": "sealed"}, headers={"accept-language": "uk"})
    assert response.status_code == 403
    assert "Надішліть ще раз" in text_of(response)
    token = strict.get("/").cookies["csrftoken"].value
    sent = {"deal": "sealed", "csrfmiddlewaretoken": token}
    assert strict.post("/alone/", sent).status_code == 302


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_failure_is_told_without_a_trace(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    def fail(*_: object, **__: object) -> None:
        message = "secret detail"
        raise RuntimeError(message)

    monkeypatch.setattr(rules, "render", fail)
    client = Client(raise_request_exception=False)
    response = client.get("/rules/", headers={"accept-language": language})
    assert response.status_code == 500
    body = text_of(response)
    assert f"<h1>{BROKEN[language]}</h1>" in body
    assert 'class="site"' in body
    assert "secret detail" not in body
    assert "RuntimeError" not in body


def test_the_failure_page_stands_even_when_templates_do_not(
    monkeypatch: pytest.MonkeyPatch, rf: RequestFactory
) -> None:
    def fail(*_: object, **__: object) -> None:
        message = "no templates either"
        raise RuntimeError(message)

    monkeypatch.setattr(errors, "render_to_string", fail)
    response = errors.server_error(rf.get("/"))
    assert response.status_code == 500
    assert "Something broke here" in text_of(response)
    assert errors.server_error(rf.get("/api/races")).headers["Content-Type"] == "application/json"


def _visit(factory: RequestFactory, path: str) -> HttpRequest:
    return factory.get(path)


@pytest.mark.django_db
def test_bad_and_forbidden_requests_have_pages_too(rf: RequestFactory) -> None:
    bad = errors.bad_request(_visit(rf, "/"), SuspiciousOperation("secret detail"))
    forbidden = errors.permission_denied(_visit(rf, "/"), PermissionDenied("secret detail"))
    assert (bad.status_code, forbidden.status_code) == (400, 403)
    for response in (bad, forbidden):
        assert "secret detail" not in text_of(response)
    assert errors.bad_request(_visit(rf, "/api/x"), SuspiciousOperation()).status_code == 400
    assert errors.permission_denied(_visit(rf, "/api/x"), PermissionDenied()).status_code == 403


@pytest.mark.django_db
def test_a_host_that_is_not_ours_gets_a_page(client: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["crescent.example"]
    response = client.get("/", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert "Bad request" in text_of(response)

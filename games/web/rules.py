"""/rules/: how Crescent is played, and what deal codes mean."""

from django.http import HttpRequest, HttpResponse

from games.web.pages import page, render


@page
def rules(request: HttpRequest) -> HttpResponse:
    """Show the rules."""
    return render(request, "games/rules.html", {})

"""/account/: guests keep their games under a name and a password, sign in elsewhere and out."""

from django import forms
from django.contrib.auth import login, logout, update_session_auth_hash
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.views.decorators.debug import sensitive_post_parameters

from games.models import Player, Race
from games.services import accounts, merging, preferences, sessions
from games.services.denied import Denial, Denied
from games.web import visitors
from games.web.account_forms import KeepForm, PasswordForm, SignInForm
from games.web.pages import page, player_of, render
from games.web.reasons import TEXTS


@page
@sensitive_post_parameters()
def account(request: HttpRequest) -> HttpResponse:
    """Show an account; who has none gets the form that makes one of what they have played."""
    player = player_of(request)
    if player is not None and not player.is_guest:
        return render(request, "games/account.html", {})
    if request.method != "POST":
        form = KeepForm(initial={"name": visitors.chosen_name(request)})
        return render(request, "games/keep.html", {"form": form})
    form = KeepForm(request.POST)
    kept = _keep(request, form) if form.is_valid() else None
    if kept is None:
        return render(request, "games/keep.html", {"form": form}, 400)
    return redirect("player", player=kept.pk)


@page
@sensitive_post_parameters()
def sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in to an account and go to the page of this site that `next` names.

    :raises Denied: too_fast.
    """
    aim = _aim(request)
    player = player_of(request)
    if player is not None and not player.is_guest:
        return HttpResponseRedirect(aim)
    has_games = player is not None and merging.has_games(guest=player)
    if request.method != "POST":
        context = {"form": SignInForm(guest=has_games), "next": aim}
        return render(request, "games/sign_in.html", context)
    accounts.check_attempt(typed=request.POST.get("username", ""))
    form = SignInForm(request, request.POST, guest=has_games)
    if not (form.is_valid() and _take_along(form, player)):
        context = {"form": form, "next": aim, "open_races": _open_races(form, player)}
        return render(request, "games/sign_in.html", context, 400)
    old, mark = player, sessions.mark_of(request.session)
    login(request, form.get_user())
    if old is not None:
        sessions.end(player_id=old.pk, mark=mark)
    return HttpResponseRedirect(aim)


@page
def sign_out(request: HttpRequest) -> HttpResponse:
    """End this session; a guest, who could never come back, is asked to keep their games first."""
    player = player_of(request)
    if request.method != "POST" or player is None or player.is_guest:
        return redirect("account")
    mark = sessions.mark_of(request.session)
    logout(request)
    sessions.end(player_id=player.pk, mark=mark)
    return redirect("home")


@page
@sensitive_post_parameters()
def password(request: HttpRequest) -> HttpResponse:
    """Change the password of an account: this session goes on, every other ends.

    :raises Denied: too_fast.
    """
    player = player_of(request)
    if player is None or player.is_guest:
        return redirect("account")
    if request.method != "POST":
        return render(request, "games/password.html", {"form": PasswordForm(player)})
    accounts.check_attempt(typed=player.name)
    form = PasswordForm(player, request.POST)
    if not form.is_valid():
        return render(request, "games/password.html", {"form": form}, 400)
    accounts.change_password(player=player, password=form.cleaned_data["new_password1"])
    update_session_auth_hash(request, player)
    sessions.end_others(player_id=player.pk, mark=sessions.mark_of(request.session))
    return redirect("account")


def _keep(request: HttpRequest, form: KeepForm) -> Player | None:
    """Make the account of a valid form; None where the services refuse, and the form says why."""
    player = player_of(request)
    try:
        kept = accounts.keep(
            player=player,
            name=form.cleaned_data["name"],
            password=form.cleaned_data["new_password1"],
            language=get_language() or "",
            chosen=preferences.of_browser(form.cleaned_data["kept"]),
        )
    except Denied as denied:
        names = {Denial.BAD_NAME, Denial.NAME_TAKEN}
        field = "name" if denied.reason in names else None
        form.add_error(field, forms.ValidationError(TEXTS[denied.reason]))
        return None
    visitors.forget_given_name(request)
    if player is None:
        login(request, kept)
    else:
        update_session_auth_hash(request, kept)
    return kept


def _take_along(form: SignInForm, guest: Player | None) -> bool:
    """Merge the guest into the account of a valid form, if that is wished; False where the
    services refuse, and the form says why."""
    if guest is None or not form.cleaned_data.get("take_along"):
        return True
    try:
        merging.take_along(guest=guest, account=form.get_user())
    except Denied as denied:
        form.add_error(None, forms.ValidationError(TEXTS[denied.reason], code=denied.reason))
        return False
    return True


def _open_races(form: SignInForm, guest: Player | None) -> list[Race]:
    """Return the races that keep a guest's games from being taken along."""
    if guest is None or not form.has_error(NON_FIELD_ERRORS, Denial.STILL_PLAYING):
        return []
    return list(merging.open_races(player=guest))


def _aim(request: HttpRequest) -> str:
    """Return where to go next: a page of this site, the start page where none is named."""
    asked = request.POST.get("next", request.GET.get("next", ""))[:1000]
    own = url_has_allowed_host_and_scheme(
        asked, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return asked if own and asked.startswith("/") else reverse("home")

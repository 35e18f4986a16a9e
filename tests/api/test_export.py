"""/api/games/<id>/export: files of finished games, and of no other."""

import pytest

from games.services import exported, exporting, settling
from tests.api.readers import Reader, refusal
from tests.services.scenes import Clock, game_of, open_race, resign, run

pytestmark = pytest.mark.django_db


def test_a_game_is_given_as_a_file_once_its_deal_is_open(
    anh: Reader, visitor: Reader, clock: Clock
) -> None:
    player = anh.player
    assert player is not None
    race = run(open_race(player, deal="sealed"), clock)
    game = game_of(race, player)
    path = f"/api/games/{game.pk}/export"
    refusal(visitor.get(path), 403, "deal_closed")
    refusal(anh.get(path), 403, "deal_closed")
    resign(game, 3_000)
    refusal(anh.get(path), 403, "deal_closed")
    clock.pass_ms(20_000)
    settling.settle_overdue()
    for form, kind, end in (("json", "application/json", "json"), ("text", "text/plain", "txt")):
        answer = visitor.get(f"{path}?format={form}")
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].startswith(kind)
        name = f'filename="{race.deal.code}-{game.pk}.{end}"'
        assert name in answer.headers["Content-Disposition"]
        assert exported.faults_of(exporting.read(answer.content.decode())) == []
    refusal(visitor.get(f"{path}?format=xml"), 400, "bad_option")
    refusal(visitor.get("/api/games/999999/export"), 404, "not_found")

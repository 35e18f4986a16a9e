/** The replay of one game, or of all games of a race. */
import '../style/board.css';
import '../style/chart.css';
import '../style/keys.css';
import '../style/menu.css';
import '../style/replay.css';
import '../style/spread.css';
import '../style/timeline.css';
import { mount } from 'svelte';
import { load, pageLang, t } from '../locale';
import { HttpProblem } from '../net/http';
import { boot, type GameBoot } from '../race/boot';
import { reasonText } from '../race/words';
import { fetchReplay } from '../replay/fetch';
import Replay from '../replay/Replay.svelte';
import { Track } from '../replay/track';

async function tracksOf({ games }: GameBoot): Promise<Track[]> {
  return Promise.all(
    games.map(async ({ game, name, you }) => {
      const replay = await fetchReplay(game);
      return new Track(replay, you && games.length > 1 ? t('you') : name, you);
    }),
  );
}

const target = document.getElementById('app');
if (target) {
  await load(pageLang());
  const about = boot<GameBoot>();
  try {
    const tracks = await tracksOf(about);
    document.documentElement.dataset['view'] = 'replay';
    target.replaceChildren();
    mount(Replay, { target, props: { tracks, around: about } });
  } catch (error) {
    const told = document.createElement('p');
    told.className = 'loading';
    told.setAttribute('role', 'alert');
    told.textContent = reasonText(error instanceof HttpProblem ? error.reason : 'unavailable');
    target.replaceChildren(told);
  }
}

/** The replay of one game, or of all games of a race. */
import '../style/board.css';
import '../style/chart.css';
import '../style/replay.css';
import '../style/timeline.css';
import { mount } from 'svelte';
import { load, pageLang, t } from '../locale';
import { HttpProblem } from '../net/http';
import { boot, type GameBoot } from '../race/boot';
import { reasonText } from '../race/words';
import { fetchReplay } from '../replay/fetch';
import ReplayPage from '../replay/ReplayPage.svelte';
import { Track } from '../replay/track';

async function tracksOf({ game, games, name }: GameBoot): Promise<Track[]> {
  const racers = games ?? [{ game: game ?? 0, name: name ?? '', you: false }];
  const answers = await Promise.allSettled(racers.map((racer) => fetchReplay(racer.game)));
  const failed = answers.find((answer) => answer.status === 'rejected');
  const tracks = answers.flatMap((answer, index) => {
    const racer = racers[index];
    if (answer.status === 'rejected' || !racer) return [];
    return [new Track(answer.value, racer.name || answer.value.player || '', racer.you)];
  });
  if (tracks.length === 0 && failed) throw failed.reason;
  return tracks;
}

const target = document.getElementById('app');
if (target) {
  await load(pageLang());
  target.textContent = t('loading');
  try {
    const tracks = await tracksOf(boot<GameBoot>());
    document.documentElement.dataset['view'] = 'replay';
    target.replaceChildren();
    mount(ReplayPage, { target, props: { tracks } });
  } catch (error) {
    target.textContent = reasonText(error instanceof HttpProblem ? error.reason : 'unavailable');
  }
}

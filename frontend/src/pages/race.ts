/** The race room. */
import '../style/board.css';
import '../style/dock.css';
import '../style/dock-shapes.css';
import '../style/race.css';
import '../style/rivals.css';
import '../style/rivals-panel.css';
import '../style/menu.css';
import '../style/keys.css';
import '../style/lobby.css';
import '../style/results.css';
import '../style/emotes.css';
import '../style/watch.css';
import '../style/chart.css';
import { mount } from 'svelte';
import { load, pageLang } from '../locale';
import { boot, type RaceBoot } from '../race/boot';
import Race from '../race/Race.svelte';

const target = document.getElementById('app');
if (target) {
  await load(pageLang());
  target.replaceChildren();
  mount(Race, { target, props: { boot: boot<RaceBoot>() } });
}

/** The last card is home: the foundations bow in a wave and their pips fly up. Over before anybody waits. */
import { EASE, still } from './motion';
import { outline } from './outlines';
import { FOUNDATIONS, SUITS } from './places';

const BOW_MS = 420;
const STAGGER_MS = 55;
const FLIGHT_MS = 1_200;
const PIPS = 32;

export function celebrate(board: HTMLElement): void {
  if (still()) return;
  FOUNDATIONS.forEach((place, order) => {
    board
      .querySelector(`[data-place="${place}"] svg.card`)
      ?.animate([{ transform: 'none' }, { transform: 'translateY(-16%)' }, { transform: 'none' }], {
        duration: BOW_MS,
        delay: 180 + order * STAGGER_MS,
        easing: EASE,
      });
  });
  flyPips(board);
}

function flyPips(board: HTMLElement): void {
  const nest = board.querySelector('.nest')?.getBoundingClientRect();
  const felt = board.getBoundingClientRect();
  if (!nest) return;
  // A sky of its own: that of the cards in the air is swept when the last of them has landed.
  const sky = document.createElement('div');
  sky.className = 'sky';
  for (let index = 0; index < PIPS; index++) sky.append(pip(SUITS[index % 4] ?? 'S'));
  board.append(sky);
  const flights = [...sky.children].map((each) => {
    const x = nest.left - felt.left + Math.random() * nest.width;
    const y = nest.top - felt.top + nest.height * (0.3 + Math.random() * 0.5);
    const [dx, dy] = [(Math.random() - 0.5) * nest.width * 1.4, -nest.height * (0.5 + Math.random() * 0.7)];
    const turn = (Math.random() - 0.5) * 120;
    return each.animate(
      [
        { transform: `translate(${x}px, ${y}px) scale(0.3)`, opacity: 0 },
        { opacity: 1, offset: 0.25 },
        { transform: `translate(${x + dx}px, ${y + dy}px) rotate(${turn}deg)`, opacity: 0 },
      ],
      {
        duration: FLIGHT_MS * (0.6 + Math.random() * 0.4),
        delay: Math.random() * 150,
        easing: EASE,
        fill: 'both',
      },
    );
  });
  void Promise.allSettled(flights.map(({ finished }) => finished)).then(() => sky.remove());
}

function pip(suit: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', `pip s-${suit}`);
  svg.setAttribute('viewBox', '0 0 100 100');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', outline(`pip-${suit}`, 1, 0, 0));
  svg.append(path);
  return svg;
}

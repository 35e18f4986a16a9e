/** Quiet sounds made on the spot, off unless the player wants them: no file to load; and what goes with them. */
import { buzz } from './haptics';
import { settings } from './settings.svelte';

export type Sound = 'card' | 'redeal' | 'refused' | 'go' | 'won';

/** Notes as [hertz, start and length in seconds]. */
const NOTES: Record<Sound, readonly (readonly [number, number, number])[]> = {
  card: [[520, 0, 0.05]],
  redeal: [
    [390, 0, 0.05],
    [520, 0.06, 0.05],
  ],
  refused: [[150, 0, 0.12]],
  go: [[780, 0, 0.2]],
  won: [
    [523, 0, 0.25],
    [659, 0.12, 0.25],
    [784, 0.24, 0.45],
  ],
};
const VOLUME = 0.06;

let audio: AudioContext | null = null;

export function sound(name: Sound): void {
  buzz(name);
  if (!settings.sound) return;
  audio ??= new AudioContext();
  for (const [hertz, start, length] of NOTES[name]) {
    const from = audio.currentTime + start;
    const tone = new OscillatorNode(audio, { type: 'triangle', frequency: hertz });
    const volume = new GainNode(audio, { gain: VOLUME });
    volume.gain.setValueAtTime(VOLUME, from);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + length);
  }
}

/** The race that follows this one: who opened it and who is already there, looked up while the page is seen. */
import type { RaceState } from './evening';
import { fetchRace } from './evening';

const EVERY_MS = 3_000;

export class NextRace {
  state = $state.raw<RaceState | null>(null);
  /** once it has started nobody can be taken along any more */
  readonly started: boolean = $derived(this.state !== null && this.state.race.starts_at !== null);
  readonly over: boolean = $derived(this.started && this.state?.race.closed_at !== null);
  /** everybody left it before it started: another can be opened in its place */
  readonly abandoned: boolean = $derived(
    this.state !== null && this.state.race.closed_at !== null && !this.started,
  );
  readonly host: string | null = $derived(this.state?.racers.find(({ host }) => host)?.name ?? null);
  readonly names: readonly string[] = $derived(this.state?.racers.map(({ name }) => name) ?? []);

  /** Follows the race of this code; returns how to stop. */
  follow(code: string): () => void {
    let stopped = false;
    this.state = null;
    const look = async (): Promise<void> => {
      if (document.visibilityState === 'hidden') return;
      const state = await fetchRace(code).catch(() => null);
      if (state && !stopped) this.state = state;
    };
    void look();
    const timer = setInterval(() => void look(), EVERY_MS);
    return () => {
      stopped = true;
      clearInterval(timer);
    };
  }
}

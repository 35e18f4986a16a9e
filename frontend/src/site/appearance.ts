/** Theme and suit colours: kept in this browser, written on <html>, and told to Django by a cookie. */

export type Theme = 'light' | 'dark' | 'auto';

const YEAR_S = 365 * 24 * 3600;

/** Reads a stored choice; storage may be forbidden, then there is none. */
export function stored(name: string): string | null {
  try {
    return localStorage.getItem(`crescent.${name}`);
  } catch {
    return null;
  }
}

export function store(name: string, value: string): void {
  try {
    localStorage.setItem(`crescent.${name}`, value);
  } catch {
    // A browser that keeps nothing still shows the choice until the page is left.
  }
}

/** Django draws the next page in this look from its first byte, so that nothing flashes. */
function tell(name: string, value: string): void {
  document.cookie = `${name}=${value};path=/;max-age=${value ? YEAR_S : 0};samesite=lax`;
}

export function setTheme(theme: Theme): void {
  store('theme', theme);
  tell('theme', theme === 'auto' ? '' : theme);
  applyTheme(theme);
}

function applyTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function isDark(): boolean {
  const theme = document.documentElement.dataset['theme'];
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

export function setFourColours(on: boolean): void {
  store('suits', on ? '4' : '2');
  tell('suits', on ? '4' : '');
  applySuits(on);
}

export function fourColours(): boolean {
  return stored('suits') === '4';
}

function applySuits(on: boolean): void {
  if (on) document.documentElement.dataset['suits'] = '4';
  else delete document.documentElement.dataset['suits'];
}

/** Puts the stored look on the page. */
export function applyAppearance(): void {
  const theme = stored('theme');
  if (theme === 'light' || theme === 'dark') applyTheme(theme);
  if (fourColours()) applySuits(true);
}

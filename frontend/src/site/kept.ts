/** Where choices are kept: a guest's in this browser, an account's with the server, which writes them into the page. */
import { ask } from '../net/http';

const NAMES = ['theme', 'suits', 'cards', 'explain', 'mirrored', 'sound'] as const;
export type Name = (typeof NAMES)[number];
type Choices = Partial<Record<Name, string>>;

const YEAR_S = 365 * 24 * 3600;

/** What the account of this page has chosen; null for a guest or a visitor. */
const account = ((): Choices | null => {
  const written = globalThis.document?.documentElement.dataset['account'];
  return written === undefined ? null : (JSON.parse(written) as Choices);
})();

/** Reads a choice; null where none was made. */
export function stored(name: Name): string | null {
  return account ? (account[name] ?? null) : inBrowser(name);
}

/** Keeps a choice. Where that fails it counts until the page is left. */
export function store(name: Name, value: string): void {
  if (account) {
    account[name] = value;
    ask('POST', '/api/settings', { [name]: value }).catch(() => undefined);
    return;
  }
  try {
    localStorage.setItem(`crescent.${name}`, value);
  } catch {
    // Storage may be forbidden.
  }
}

/** Django draws the next page in this look from its first byte; of an account it knows it anyway. */
export function tell(name: Name, value: string): void {
  if (account) return;
  document.cookie = `${name}=${value};path=/;max-age=${value ? YEAR_S : 0};samesite=lax`;
}

/** What this browser keeps, for an account that is made of its guest. */
export function browsers(): Choices {
  const kept: Choices = {};
  for (const name of NAMES) {
    const value = inBrowser(name);
    if (value !== null) kept[name] = value;
  }
  return kept;
}

function inBrowser(name: Name): string | null {
  try {
    return localStorage.getItem(`crescent.${name}`);
  } catch {
    return null;
  }
}

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** Loads the module on a page of an account with these choices, or of a guest (null). */
async function load(account: string | null): Promise<typeof import('./kept')> {
  vi.resetModules();
  const dataset = account === null ? {} : { account };
  vi.stubGlobal('document', { documentElement: { dataset }, cookie: '' });
  return import('./kept');
}

const asked: [string, string][] = [];
const browser = new Map<string, string>();

beforeEach(() => {
  asked.length = 0;
  browser.clear();
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    asked.push([path, init.body as string]);
    return Promise.reject(new TypeError('offline'));
  });
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => browser.get(key) ?? null,
    setItem: (key: string, value: string) => browser.set(key, value),
  });
});

afterEach(() => vi.unstubAllGlobals());

describe('choices', () => {
  it('of a guest are in the browser and told by a cookie', async () => {
    const { store, stored, tell } = await load(null);
    expect(stored('theme')).toBeNull();
    store('theme', 'dark');
    tell('theme', 'dark');
    expect(stored('theme')).toBe('dark');
    expect(browser.get('crescent.theme')).toBe('dark');
    expect(document.cookie).toContain('theme=dark');
    expect(asked).toEqual([]);
  });

  it('of an account are on the page and go to the server alone', async () => {
    browser.set('crescent.theme', 'light');
    const { store, stored, tell } = await load('{"theme":"dark"}');
    expect(stored('theme')).toBe('dark');
    expect(stored('suits')).toBeNull();
    store('suits', '4');
    tell('suits', '4');
    expect(stored('suits')).toBe('4');
    expect(asked).toEqual([['/api/settings', '{"suits":"4"}']]);
    expect([...browser]).toEqual([['crescent.theme', 'light']]);
    expect(document.cookie).toBe('');
  });

  it('of the browser are what an account that is made takes along', async () => {
    browser.set('crescent.sound', 'on').set('crescent.other', 'x');
    const { browsers } = await load(null);
    expect(browsers()).toEqual({ sound: 'on' });
  });

  it('count until the page is left where the browser keeps nothing', async () => {
    vi.stubGlobal('localStorage', undefined);
    const { store, stored } = await load(null);
    store('theme', 'dark');
    expect(stored('theme')).toBeNull();
  });
});

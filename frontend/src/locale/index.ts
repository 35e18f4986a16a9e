/** The words of the page's language: typed keys, `{name}` placeholders, plurals by Intl.PluralRules. */
import type en from './en.json';

export type Key = keyof typeof en;
/** Each language by its own name. */
export const LANGUAGES = { en: 'English', uk: 'Українська', vi: 'Tiếng Việt' } as const;
export type Lang = keyof typeof LANGUAGES;
export type Vars = Record<string, string | number>;
type Forms = Partial<Record<Intl.LDMLPluralRule, string>>;
type Words = Record<string, string | Forms>;

const loaders = import.meta.glob<Words>('./*.json', { import: 'default' });

let words: Words = {};
let plural = new Intl.PluralRules('en');
let current: Lang = 'en';

/** The language of the page, as Django wrote it into <html lang>. */
export function pageLang(): Lang {
  const tag = document.documentElement.lang.slice(0, 2);
  return tag in LANGUAGES ? (tag as Lang) : 'en';
}

/** Loads the words of one language; a page does this once, before anything is drawn. */
export async function load(lang: Lang): Promise<void> {
  const loader = loaders[`./${lang}.json`];
  if (loader) words = await loader();
  current = lang;
  plural = new Intl.PluralRules(lang);
}

export function lang(): Lang {
  return current;
}

/** The text of a key. Where it has plural forms, the variable `n` chooses among them. */
export function t(key: Key, vars: Vars = {}): string {
  const entry = words[key];
  if (entry === undefined) return key;
  const text =
    typeof entry === 'string' ? entry : (entry[plural.select(Number(vars['n']))] ?? entry.other ?? key);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(vars[name] ?? whole));
}

/** True when the language has a text for a key that came from the server, such as a reason. */
export function known(key: string): key is Key {
  return key in words;
}

import { describe, expect, it } from 'vitest';

type Words = Record<string, string | Record<string, string>>;

const files = import.meta.glob<Words>('./*.json', { eager: true, import: 'default' });
const en = files['./en.json'] ?? {};
const sources = Object.entries(
  import.meta.glob<string>(['../**/*.svelte', '../**/*.ts', '!../**/*.test.ts'], {
    eager: true,
    query: '?raw',
    import: 'default',
  }),
);
const code = sources.map(([, text]) => text).join('\n');

/** Keys put together at run time, each from a list that the program has. */
const BUILT = ['rank.', 'suit.', 'reason.'];

function names(entry: string | Record<string, string> | undefined): string[] {
  const texts = typeof entry === 'string' ? [entry] : Object.values(entry ?? {});
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''))),
  ].sort();
}

describe('texts', () => {
  it('have the same keys in every language', () => {
    for (const words of Object.values(files)) expect(Object.keys(words)).toEqual(Object.keys(en));
  });

  it('have the plural forms that their language needs', () => {
    for (const [file, words] of Object.entries(files)) {
      const wanted = new Intl.PluralRules(file.slice(2, 4)).resolvedOptions().pluralCategories.toSorted();
      for (const [key, entry] of Object.entries(words)) {
        if (typeof entry !== 'string')
          expect([key, ...Object.keys(entry).toSorted()]).toEqual([key, ...wanted]);
      }
    }
  });

  it('use the same placeholders in every language', () => {
    for (const words of Object.values(files)) {
      for (const [key, entry] of Object.entries(words))
        expect([key, ...names(entry)]).toEqual([key, ...names(en[key])]);
    }
  });

  it('are all used, and all that is used is there', () => {
    const unused = Object.keys(en).filter(
      (key) => !BUILT.some((prefix) => key.startsWith(prefix)) && !code.includes(`'${key}'`),
    );
    expect(unused).toEqual([]);
    const used = [...code.matchAll(/\bt\(\s*'([^']+)'/g)].map((match) => match[1] ?? '');
    expect(used.filter((key) => !(key in en))).toEqual([]);
  });
});

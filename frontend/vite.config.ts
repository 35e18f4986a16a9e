/** Builds one entry a page; Django reads the manifest and serves the files under /static/. */
import { svelte, vitePreprocess } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

const PAGES = ['site', 'home', 'race', 'deal', 'game', 'rules'] as const;

export default defineConfig({
  base: '/static/',
  plugins: [svelte({ configFile: false, preprocess: vitePreprocess() })],
  build: {
    outDir: 'dist',
    manifest: 'manifest.json',
    target: 'es2022',
    // A strict content security policy forbids inline script and data: fonts; small assets stay files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: Object.fromEntries(PAGES.map((page) => [page, `src/pages/${page}.ts`])),
    },
  },
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
  },
});

/** The script that each document runs before its first paint. */
import { afterEach, expect, test, vi } from 'vitest';
import SCRIPT from '../public/theme.js?raw';

afterEach(() => {
  localStorage.clear();
  document.head.replaceChildren();
});

test('colours the browser’s bars as the page, at first and after the switch', async () => {
  localStorage.setItem('darkMode', 'false');
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  const tags = ['dark', 'light'].map((scheme) =>
    Object.assign(document.createElement('meta'), { name: 'theme-color', media: `(prefers-color-scheme: ${scheme})` }),
  );
  document.head.append(...tags);
  const colours = () => tags.map(({ content }) => content);

  // biome-ignore lint/security/noGlobalEval: this is how a document runs it
  globalThis.eval(SCRIPT);
  window.dispatchEvent(new Event('DOMContentLoaded'));
  expect(colours()).toEqual(['#f6f7f9', '#f6f7f9']);

  document.documentElement.dataset.theme = 'dark';
  await vi.waitFor(() => expect(colours()).toEqual(['#0b0d10', '#0b0d10']));
});

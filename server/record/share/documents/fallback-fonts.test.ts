import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FALLBACK_FACES, FALLBACK_FAMILIES } from './fallback-fonts.ts';

const read = (path: string) => readFileSync(new URL(`../../../../web/ui/styles/${path}`, import.meta.url), 'utf8');
const withoutSpaces = (css: string) =>
  css
    .replace(/\s+/g, ' ')
    .replace(/ ?([{}:;,]) ?/g, '$1')
    .replaceAll(';}', '}');

test('scales the fonts of systems as the site does', () => {
  const site = withoutSpaces(read('font-fallbacks.css')).match(/@font-face\{font-family:"[^"]* Fallback[^}]*\}/g);
  expect(site).toHaveLength(7);

  expect(FALLBACK_FACES).toBe(site?.join(''));
  expect(withoutSpaces(read('tokens.css'))).toContain(`"Inter Variable",${FALLBACK_FAMILIES},system-ui`);
});

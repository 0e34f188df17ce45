import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { MAIN_TITLES, MAIN_WAYS } from './main-ways.ts';

const ROOT = resolve(import.meta.dirname, '../..');

test.each(MAIN_WAYS)('$file has the test of "$way" by day', ({ file, title }) => {
  const text = readFileSync(resolve(ROOT, file), 'utf8');
  const at = text.indexOf(title);
  expect(at, title).toBeGreaterThan(0);
  expect(text.slice(0, at)).not.toMatch(/nightTest\(\s*['`"]$/);
});

test('selects a test by its title, whatever the case, and no other', () => {
  const pattern = new RegExp(MAIN_TITLES);
  expect('shuts the server of `npm run start` down cleanly after only npm got SIGTERM').toMatch(pattern);
  expect('the page on a screen passes axe and violates no content security policy, dark').toMatch(pattern);
  expect('hydrates without an error or a layout shift').not.toMatch(pattern);
});

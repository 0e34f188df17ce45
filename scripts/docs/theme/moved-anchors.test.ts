import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../steps.ts';
import { anchorsOf } from '../doc-links.ts';
import { docSections } from '../doc-pages.ts';
import { MOVED_ANCHORS, movedTo } from './moved-anchors.ts';

test('leads each moved heading to a page that has it', () => {
  const pages = new Map(docSections(ROOT).flatMap((section) => section.pages.map(({ path, file }) => [path, file])));
  const lost = MOVED_ANCHORS.filter(([anchor, page]) => {
    const file = pages.get(page);
    return file === undefined || !anchorsOf(readFileSync(join(ROOT, file), 'utf8')).has(anchor);
  });
  expect(lost).toEqual([]);
});

test.each([
  ['/docs/guides/operate', '#a-lost-authenticator', '/docs/operate/accounts#a-lost-authenticator'],
  ['/docs/guides/operate', '#host-names', '/docs/guides/start#host-names'],
  ['/docs/guides/operate.html', '#figures', '/docs/operate/watching#figures'],
  ['/docs/guides/operate', '#running-kat', null],
  ['/docs/guides/operate', '', null],
  ['/docs/guides/start', '#figures', null],
])('leads %s%s to %s', (pathname, hash, expected) => {
  expect(movedTo({ pathname, hash })).toBe(expected);
});

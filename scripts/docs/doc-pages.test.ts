/** Every page, link and command of the documentation exists. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../steps.ts';
import { anchorsOf, linksOf, skippedHeadings, slug, targetOf, withSiteLinks } from './doc-links.ts';
import { docSections, headingOf, readPage } from './doc-pages.ts';

const pages = docSections(ROOT).flatMap((section) => section.pages);
const DOCUMENTS = [
  ...new Set([
    ...globSync(['*.md', 'docs/**/*.md', '*/README.md'], { cwd: ROOT, exclude: ['**/node_modules/**'] }),
    ...pages.map(({ file }) => file).filter((file) => file.endsWith('.md')),
  ]),
].sort();
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
/** Those that a command writes from their source. */
const WRITTEN = pages.filter(({ render }) => render !== undefined);

test('has every document of docs/ once, and each at its own address', () => {
  const files = pages.map(({ file }) => file);
  const paths = pages.map(({ path }) => path);

  expect(globSync('docs/**/*.md', { cwd: ROOT }).filter((file) => !files.includes(file))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
  expect(new Set(paths).size).toBe(paths.length);
});

test('has no link to a file or an anchor that does not exist', () => {
  const anchors = new Map<string, Set<string>>();
  const anchorsIn = (file: string) => anchors.get(file) ?? anchors.set(file, anchorsOf(read(file))).get(file);
  const texts = [
    ...DOCUMENTS.map((file) => ({ file, text: read(file) })),
    ...WRITTEN.map((page) => ({ file: page.file, text: readPage(page, ROOT) })),
  ];
  const faults = texts.flatMap(({ file, text }) =>
    linksOf(text).flatMap(({ url, line }) => {
      const target = targetOf(url, file);
      if (target === null) return [];
      if (!existsSync(join(ROOT, target.file))) return [`${file}:${line}: ${url} does not exist`];
      const isKnown =
        target.anchor === '' || !target.file.endsWith('.md') || anchorsIn(target.file)?.has(target.anchor);
      return isKnown ? [] : [`${file}:${line}: ${url} names no heading`];
    }),
  );

  expect(faults).toEqual([]);
});

test('skips no level of headings', () => {
  const faults = DOCUMENTS.flatMap((file) => skippedHeadings(read(file)).map((heading) => `${file}: ${heading}`));
  expect(faults).toEqual([]);
  expect(skippedHeadings('# A\n\n## B\n\n#### C\n')).toEqual(['#### C']);
});

test('creates the reference pages from the code: every command, setting and metric', () => {
  const page = (path: string) => {
    const found = pages.find((one) => one.path === path);
    if (found === undefined) throw new Error(`There is no page ${path}.`);
    return readPage(found, ROOT);
  };
  const settings = [...read('.env.example').matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);

  expect(page('reference/commands')).toContain(
    '| `npm run user -- erase` | erase an account and everything stored about it |',
  );
  expect(page('reference/metrics')).toContain('| `kat_forecast_seconds` | histogram | `s` | `model`, `outcome` |');
  for (const name of settings) expect(page('reference/settings')).toContain(`| \`${name}\` |`);
});

const decisions = globSync('docs/decisions/[0-9]*.md', { cwd: ROOT });
const decisionIndex = read('docs/decisions/README.md');
/** Its first line below the heading, up to the first change. */
const STATUS = /^# (\d{3}) .+\n\n\*\*Status:\*\* ((?:accepted|replaced by .+), \d{1,2} [A-Z][a-z]{2} \d{4})[;.\n]/;

/** @param index  every decision has a row with its number, its title and its status */
function decisionFaults(file: string, text: string, index: string): string[] {
  const [, number, status] = STATUS.exec(text) ?? [];
  if (status === undefined) return [`${file} does not begin with its status and a date`];
  const row = `| ${number} | [${headingOf(text).slice(4)}](${basename(file)}) | ${status}`;
  return index.includes(row) ? [] : [`docs/decisions/README.md lacks: ${row}`];
}

test('gives each decision a status with a date, and a row in the index', () => {
  expect(decisions.flatMap((file) => decisionFaults(file, read(file), decisionIndex))).toEqual([]);
  expect(decisions.length).toBeGreaterThan(60);
});

test('refuses a decision without a date, and one that the index lacks', () => {
  const text = '# 101 Short names\n\n**Status:** accepted, 30 Nov 2026; changed by [102](102-b.md) (1 Dec 2026)\n';
  const index = '| 101 | [Short names](101-a.md) | accepted, 30 Nov 2026; changed by 102 |';

  expect(decisionFaults('101-a.md', text, index)).toEqual([]);
  expect(decisionFaults('101-a.md', text.replace(' 2026;', ';'), index)).toHaveLength(1);
  expect(decisionFaults('101-a.md', text, index.replace('101', '103'))).toHaveLength(1);
});

test('leads links to pages of the site, and leaves links to source files as text', () => {
  const addresses: Readonly<Record<string, string>> = { 'docs/b.md': '/b' };
  const site = (markdown: string) =>
    withSiteLinks(markdown, 'docs/decisions/a.md', ({ file, anchor }) => {
      const address = addresses[file];
      return address === undefined ? null : `${address}${anchor && `#${anchor}`}`;
    });

  expect(site('See [b](../b.md#one), [`c`](../../c.ts) and [web](https://example.org).')).toBe(
    'See [b](/b#one), `c` and [web](https://example.org).',
  );
  expect(site('`[b](../b.md)`')).toBe('`[b](../b.md)`');
});

test('names headings as GitHub does', () => {
  expect(slug('What `npm start` does, and doesn’t')).toBe('what-npm-start-does-and-doesnt');
  expect([...anchorsOf('# A\n\n## B & c\n\n## B & c\n')]).toEqual(['a', 'b--c', 'b--c-1']);
});

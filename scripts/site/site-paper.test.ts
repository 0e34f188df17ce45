/**
 * @vitest-environment jsdom
 *
 * Compares the paper's figures with the measured ones in the manifests.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIN_GROUP } from '#domain/forecast/figures/figure-messages.ts';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { paperDocument } from '../../web/paper/paper.ts';
import { groupFigures, modelNamed } from '../../web/paper/paper-data.ts';
import { ROOT } from './site-cache.ts';
import { readPaperData, writePaper } from './site-paper.ts';

let folder: string;
let page: Document;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kat-paper-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets/inter-latin-wght-normal-a1.woff2'), '');
  writePaper(folder);
  const text = readFileSync(join(folder, 'research-paper/index.html'), 'utf8');
  page = new DOMParser().parseFromString(text, 'text/html');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface RawManifest {
  parameters: number;
  modelVersion: string;
  figures: { group: string; skill: Record<string, never> }[];
}

/** Read separately, without the code that makes the paper. */
function manifestOf(model: string): RawManifest {
  return JSON.parse(readFileSync(join(ROOT, 'models', model, 'manifest.json'), 'utf8'));
}

/** '+1.08% [0.80, 1.42]' as three numbers. */
function numbersIn(cell: string): number[] {
  return [...cell.replaceAll('\u2212', '-').matchAll(/-?\d+(?:\.\d+)?/g)].map(([text]) => Number(text));
}

function cells(tableId: string, row: string): string[] {
  const rows = [...(page.getElementById(tableId)?.closest('table')?.querySelectorAll('tbody tr') ?? [])];
  const found = rows.find((one) => one.querySelector('th')?.textContent?.replaceAll('\u00a0', ' ') === row);
  return [...(found?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent ?? '');
}

test.each([
  ['Band over EWMA, normal, 1 min', ['crpsSkillPercent', 'ewma-gauss', 'h1'], 2],
  ['Band over pooled HAR, all', ['crpsSkillPercent', 'har-pooled', 'all'], 2],
  ['Volatility (RV50) over HAR', ['rv50SkillPercent', 'har-empirical'], 2],
  ['High-low range over EWMA', ['range50SkillPercent', 'ewma-gauss'], 2],
  ['Closes inside the 80% band', ['coverage', 'pooled80'], 1],
] as const)('shows in the row “%s” of the skill table what the manifests hold', (row, path, decimals) => {
  const shown = cells('table-skill', row);

  const measured = MODEL_NAMES.map((model) => {
    const skill: unknown = manifestOf(model).figures.find(({ group }) => group === MAIN_GROUP)?.skill;
    return path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], skill) as number[];
  });
  expect(shown).toHaveLength(MODEL_NAMES.length);
  for (const [index, values] of measured.entries()) {
    const rounded = numbersIn(shown[index] ?? '');
    expect(rounded).toHaveLength(3);
    for (const [at, value] of values.entries()) {
      expect(Math.abs((rounded[at] ?? Number.NaN) - value)).toBeLessThanOrEqual(0.5 * 10 ** -decimals + 1e-9);
    }
  }
});

test('lists parameters and versions of the networks as the manifests do', () => {
  expect(cells('table-networks', 'Parameters').map((cell) => Number(cell.replaceAll(',', '')))).toEqual(
    MODEL_NAMES.map((model) => manifestOf(model).parameters),
  );
  for (const model of MODEL_NAMES) {
    expect(page.querySelector('.edition')?.textContent).toContain(manifestOf(model).modelVersion);
  }
});

test('reports every target missed on the main group by a model card as missed', () => {
  const rows = [...(page.getElementById('table-missed')?.closest('table')?.querySelectorAll('tbody tr') ?? [])];
  const missedInPaper = MODEL_NAMES.map(
    (_, column) => rows.filter((row) => row.querySelectorAll('td')[column]?.textContent?.startsWith('missed')).length,
  );

  const missedOnCards = MODEL_NAMES.map((model) => {
    const card = readFileSync(join(ROOT, 'models', model, 'MODEL-CARD.md'), 'utf8');
    const [mainGroup = ''] = card.split('### BTC, ETH, SOL and DOGE')[1]?.split('\n### ') ?? [];
    return mainGroup.split('**missed**').length - 1;
  });
  expect(missedInPaper).toEqual(missedOnCards);
  expect(Math.min(...missedOnCards)).toBeGreaterThan(0);
});

test('preloads the one font of the text, with fallbacks of the same width', () => {
  const preload = page.querySelector('link[rel="preload"][as="font"][crossorigin]');
  const css = readFileSync(join(folder, 'research-paper/paper.css'), 'utf8');

  expect(preload?.getAttribute('href')).toBe('/assets/inter-latin-wght-normal-a1.woff2');
  expect(css).toContain('src:url("/assets/inter-latin-wght-normal-a1.woff2")');
  expect(css).toMatch(/font-family: "Inter Fallback Arial";[^}]*size-adjust/);
});

test('shows results with three decimals throughout, and keeps each sign with its figure', () => {
  const reached = [...(page.getElementById('table-missed')?.closest('table')?.querySelectorAll('td') ?? [])];
  const figures = reached.flatMap(
    (cell) => (cell.textContent ?? '').replace(/at \d+ min/, '').match(/\d[\d.]*/g) ?? [],
  );

  expect(figures.length).toBeGreaterThan(10);
  expect(figures.filter((figure) => !/^\d+\.\d{3}$/.test(figure))).toEqual([]);
  expect(page.documentElement.textContent).not.toMatch(/\d %/);
});

test('changes with other figures in the manifests', () => {
  const data = readPaperData();
  const changed = structuredClone(data);
  groupFigures(modelNamed(changed.models, 'lion'), MAIN_GROUP).skill.crpsSkillPercent['ewma-gauss'].all = [
    7.77, 6.66, 8.88,
  ];

  expect(paperDocument(data)).not.toContain('7.77');
  expect(paperDocument(changed).split('7.77').length - 1).toBeGreaterThanOrEqual(2);
});

test('shows a manifest’s text as text, never as markup', () => {
  const data = structuredClone(readPaperData());
  modelNamed(data.models, 'bobcat').training.members = '<img src=x onerror=alert(1)>';

  expect(paperDocument(data)).not.toContain('<img');
});

test('orders headings downwards, captions figures and tables, and lists every cited reference', () => {
  const levels = [...page.querySelectorAll('h1, h2, h3')].map(({ tagName }) => Number(tagName[1]));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  for (const [at, level] of levels.entries()) expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1);

  expect(page.querySelectorAll('figure svg[role="img"][aria-label]').length).toBe(4);
  for (const figure of page.querySelectorAll('figure')) expect(figure.querySelector('figcaption')).not.toBeNull();
  for (const table of page.querySelectorAll('table')) expect(table.caption?.textContent).not.toBe('');

  const works = page.querySelectorAll('.references li').length;
  const cited = [...(page.querySelector('.paper')?.textContent ?? '').matchAll(/\[(\d+(?:, \d+)*)\]/g)]
    .filter(([text]) => !text.includes('.'))
    .flatMap(([, numbers = '']) => numbers.split(', ').map(Number));
  expect([...new Set(cited)].sort((a, b) => a - b)).toEqual(Array.from({ length: works }, (_, index) => index + 1));
});

test('loads nothing from elsewhere, and holds no inline style or script', () => {
  for (const element of page.querySelectorAll('[src], link[href]')) {
    expect(element.getAttribute('src') ?? element.getAttribute('href')).toMatch(/^\/(?!\/)/);
  }
  expect(page.querySelector('[style], style, script:not([src])')).toBeNull();
});

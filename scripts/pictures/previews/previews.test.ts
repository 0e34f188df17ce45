import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foundRoutes } from '#domain/site/routes.ts';
import { readPaperData } from '../../site/site-paper.ts';
import { balancedLines, OUTLINES, type TextStyle, textSvg, textWidthPx } from './outlined-text.ts';
import { previewSvg } from './preview-picture.ts';
import { previewTexts } from './preview-texts.ts';
import { type Preview, previewPng, writePreviews } from './write-previews.ts';

const ROOT = join(import.meta.dirname, '../../..');
const STYLE: TextStyle = { sizePx: 100, weight: 600, colour: '#ffffff' };
const models = readPaperData().models;

let site: string;
let previews: Map<string, Preview>;
beforeAll(async () => {
  site = mkdtempSync(join(tmpdir(), 'kat-previews-'));
  previews = await writePreviews(site, models);
});
afterAll(() => rmSync(site, { recursive: true, force: true }));

const fileOf = (path: string): string => join(site, previews.get(path)?.file ?? 'none');

test('draws a separate picture of 1200 by 630 for every public page, each below 80 KB', async () => {
  const paths = foundRoutes().map(({ path }) => path);
  expect(new Set(paths.map((path) => readFileSync(fileOf(path)).toString('base64'))).size).toBe(paths.length);
  for (const path of paths) {
    const { format, width, height } = await sharp(fileOf(path)).metadata();
    expect({ path, format, width, height }).toEqual({ path, format: 'png', width: 1200, height: 630 });
    expect(statSync(fileOf(path)).size, path).toBeLessThan(80_000);
  }
});

test('draws one picture for all pages of signing in, and none for pages behind it', () => {
  expect(previews.get('/auth/signup')).toEqual(previews.get('/auth/signin'));
  expect(previews.get('/dashboard')).toBeUndefined();
});

test('gives the same bytes every time', async () => {
  const text = { title: 'Track Record', line: 'Sealed before the outcome is known.' };

  const [first, second] = [await previewPng(text, 7), await previewPng(text, 7)];

  expect(first.equals(second)).toBe(true);
});

test('takes its figures from the models’ manifests', () => {
  const changed = models.map((model) => ({
    ...model,
    figures: model.figures.map((group) => ({
      ...group,
      skill: {
        ...group.skill,
        coverage: { ...group.skill.coverage, pooled80: [61.4, 60, 62] as [number, number, number] },
      },
    })),
  }));

  expect(previewTexts(changed).get('/ai-models')?.line).toBe(
    'On test data, 61 of 100 closes landed inside Lion’s 80% band.',
  );
  expect(previews.get('/ai-models')?.alt).toBe(`AI Models. ${previewTexts(models).get('/ai-models')?.line}`);
});

test('needs no font to draw a text', () => {
  const svg = previewSvg({ title: 'About', line: 'Who makes Kat.' }, 1);

  expect(svg).not.toMatch(/<text|font/);
  expect(textSvg('Kat', STYLE, 10, 20)).toMatch(/^<g fill="#ffffff" transform="translate\(10 20\) scale\(0\.0488/);
});

test('sets pairs of letters closer where the font does', () => {
  expect(textWidthPx('AV', STYLE)).toBeLessThan(textWidthPx('A', STYLE) + textWidthPx('V', STYLE) - 1);
});

test('breaks a text into as few lines as fit, of similar length', () => {
  const text = 'one two three four';
  const whole = textWidthPx(text, STYLE);

  expect(balancedLines(text, STYLE, whole + 1)).toEqual([text]);
  expect(balancedLines(text, STYLE, whole - 1)).toEqual(['one two', 'three four']);
  expect(balancedLines('unbreakable', STYLE, 10)).toEqual(['unbreakable']);
});

test('refuses a character without an outline, and a title too long for two lines', () => {
  expect(() => textSvg('猫', STYLE, 0, 0)).toThrow("no outline for '猫'");
  expect(() => previewSvg({ title: 'word '.repeat(20).trim(), line: '' }, 1)).toThrow('too long for a preview');
});

test('has the outlines of the installed font', () => {
  const { version } = JSON.parse(
    readFileSync(join(ROOT, 'node_modules/@fontsource-variable/inter/package.json'), 'utf8'),
  ) as { version: string };

  expect(OUTLINES.package).toBe(`@fontsource-variable/inter ${version}`);
});

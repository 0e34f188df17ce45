/**
 * `npm run measure -- gallery`: makes the gallery's five examples, with texts and pictures, from the shipped models and
 * the sandbox market's simulated candles. The same models give the same files, to the byte on one kind of machine. It
 * must run again after a change of the models; gallery.test.ts checks that.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type GalleryExample, galleryPicture } from '#domain/gallery/gallery-example.ts';
import { openModelRegistry } from '../../server/forecast/models/model-registry.ts';
import { inProcessRunner } from '../../server/forecast/models/opened-model.ts';
import { PALETTES } from '../pictures/palettes.ts';
import { pictureSvg } from './picture.ts';
import { CLOSES_FILE, savedExample } from './saved-closes.ts';
import { type Found, type FoundForecast, findExamples } from './search.ts';
import { describeExample } from './words.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PUBLIC_DIR = join(ROOT, 'web/public');
const CONTENT = join(ROOT, 'web/content/gallery.ts');
const THEMES = ['dark', 'light', 'dark-cb', 'light-cb'] as const;

const runner = inProcessRunner();
try {
  const found = await findExamples(await openModelRegistry(join(ROOT, 'models'), runner));
  rmSync(join(PUBLIC_DIR, 'gallery'), { recursive: true, force: true });
  mkdirSync(join(PUBLIC_DIR, 'gallery'), { recursive: true });
  let bytes = 0;
  for (const example of found.examples) bytes += writePictures(example);
  writeFileSync(CLOSES_FILE, `${JSON.stringify(found.examples.map(savedExample))}\n`);
  writeFileSync(CONTENT, contentOf(found));
  execFileSync(join(ROOT, 'node_modules/.bin/biome'), ['check', '--write', CONTENT, CLOSES_FILE], { stdio: 'inherit' });
  const { forecasts, meanAccuracy } = found.search;
  console.log(`Five of ${forecasts} forecasts, whose mean accuracy is ${meanAccuracy} %; pictures: ${bytes} bytes.`);
} finally {
  await runner.close();
}

function writePictures(example: FoundForecast): number {
  let bytes = 0;
  for (const kind of ['prediction', 'outcome'] as const) {
    for (const theme of THEMES) {
      const svg = pictureSvg(example, kind, PALETTES[theme]);
      writeFileSync(join(PUBLIC_DIR, galleryPicture(idOf(example), kind, theme)), svg);
      bytes += svg.length;
    }
  }
  return bytes;
}

function contentOf({ examples, search }: Found): string {
  const entries = examples.map(
    (found): GalleryExample => ({
      id: idOf(found),
      dateIso: new Date(found.t0 * 1000).toISOString(),
      symbol: found.symbol.label,
      model: found.model,
      accuracy: found.accuracy,
      ...describeExample(found),
    }),
  );
  return [
    "/** The gallery's five chosen examples and what they were chosen from. Written by `npm run measure -- gallery`, not by hand. */",
    "import type { GalleryExample, GallerySearch } from '#domain/gallery/gallery-example.ts';",
    '',
    `export const GALLERY_SEARCH: GallerySearch = ${JSON.stringify(search)};`,
    '',
    `export const GALLERY: readonly GalleryExample[] = ${JSON.stringify(entries, null, 2)};`,
    '',
  ].join('\n');
}

/** 'btc-lion-202610230608': pictures of other examples never have the name of a cached one. */
function idOf({ symbol, model, t0 }: FoundForecast): string {
  const stamp = new Date(t0 * 1000).toISOString().replaceAll(/\D/g, '').slice(0, 12);
  return `${symbol.label.toLowerCase()}-${model}-${stamp}`;
}

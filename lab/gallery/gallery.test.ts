import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { galleryAccuracy } from '../../domain/gallery/gallery-accuracy.ts';
import { GALLERY_PICTURE } from '../../domain/gallery/gallery-example.ts';
import { PALETTES } from '../../domain/picture/palettes.ts';
import { bandCoverage } from '../../domain/record/scoring/band-coverage.ts';
import { type ModelRegistry, openModelRegistry } from '../../server/forecast/models/model-registry.ts';
import { inProcessRunner } from '../../server/forecast/models/opened-model.ts';
import { GALLERY } from '../../web/content/gallery.ts';
import { describeExample } from './example-texts.ts';
import { pictureSvg } from './picture.ts';
import { savedExample, savedExamples } from './saved-closes.ts';
import { type FoundForecast, forecastAt, PLACES } from './search.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const saved = savedExamples();
const runner = inProcessRunner();
let registry: ModelRegistry;

beforeAll(async () => {
  registry = await openModelRegistry(join(ROOT, 'models'), runner);
});

afterAll(() => runner.close());

test('stores the examples of the five places, made by the shipped models', () => {
  expect(saved.map(({ symbol, model }) => ({ symbol, model }))).toEqual(
    PLACES.map(({ symbol, model }) => ({ symbol, model })),
  );
  expect(saved.map(galleryAccuracy)).toEqual(PLACES.map(({ accuracy }) => accuracy));
  // If this fails after a change of the models, run: npm run lab -- measure gallery.
  expect(saved.map(({ modelVersion }) => modelVersion)).toEqual(
    saved.map(({ model }) => registry.ready(model).modelVersion),
  );
});

test('says on the page what the saved closes give', async () => {
  const page = readFileSync(join(ROOT, 'web/content/gallery.ts'), 'utf8');

  const accuracies = [...page.matchAll(/^ +accuracy: (\d+),$/gm)].map(([, accuracy]) => Number(accuracy));
  expect(accuracies).toEqual(saved.map(galleryAccuracy));
  expect(GALLERY.map(({ coverage }) => coverage)).toEqual(
    saved.map((example) => bandCoverage(example, example.outcome)),
  );
  for (const example of saved) {
    const { title, description } = describeExample(await found(example));
    expect(page).toContain(title);
    expect(page).toContain(description);
  }
});

test('repeats each example from the models and the simulated market', async () => {
  for (const example of saved) {
    const again = savedExample(await found(example));

    expect(again.lastClose).toBe(example.lastClose);
    expect(again.outcome).toEqual(example.outcome);
    // Prices pass through exponentials, whose last digits differ between machines: by one tick at most.
    for (const part of ['forecast', 'lower95', 'upper80'] as const) {
      for (const [i, price] of again[part].entries())
        expect(Math.abs(price / (example[part][i] ?? 0) - 1)).toBeLessThan(1e-4);
    }
  }
});

test('has two pictures of each example in each theme, and no other', () => {
  const files = readdirSync(join(ROOT, 'web/public/gallery'));

  for (const theme of Object.keys(PALETTES)) {
    expect(files.filter((file) => new RegExp(`-(prediction|outcome)-${theme}\\.svg$`).test(file))).toHaveLength(
      2 * saved.length,
    );
  }
  expect(files).toHaveLength(2 * saved.length * Object.keys(PALETTES).length);
});

test('draws one mark for each check point of an outcome, and no text, which the page adds at the join', async () => {
  const miss = await found(saved[2]);
  const outcome = pictureSvg(miss, 'outcome', PALETTES.dark);
  const prediction = pictureSvg(miss, 'prediction', PALETTES.dark);

  expect(outcome.match(/a4\.5/g)).toHaveLength(2 * 3);
  expect(outcome.match(/l9 9/g)).toHaveLength(7);
  for (const picture of [outcome, prediction]) expect(picture).not.toContain('<text');
  const joinX = Number(/<path d="M([\d.]+) 0V450"/.exec(prediction)?.[1]);
  const css = readFileSync(join(ROOT, 'web/features/gallery/gallery-card.module.css'), 'utf8');
  expect(css).toContain(`calc(${(joinX / GALLERY_PICTURE.width) * 100}% + `);
  expect(prediction).not.toMatch(/NaN|undefined/);
});

test('describes a miss as a miss, and a move beyond the bands as one', async () => {
  const miss = describeExample(await found(saved[2]));
  const hit = describeExample(await found(saved[0]));

  expect(miss.description).toMatch(/A miss: at only 3 of 10/);
  expect(miss.description).toMatch(/too narrow/);
  expect(hit.description).toMatch(/At 9 of 10/);
  expect(hit.description).not.toMatch(/too narrow/);
});

async function found(example: (typeof saved)[number] | undefined): Promise<FoundForecast> {
  if (example === undefined) throw new Error('There is no such example.');
  const again = await forecastAt(registry, example.model, example.symbol, example.t0);
  if (again === null) throw new Error('The market was closed.');
  return again;
}

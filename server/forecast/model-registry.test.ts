import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isAppError } from '#domain/errors/app-error.ts';
import { generatedCandles } from './generated-candles.ts';
import { modelStatuses, openModelRegistry } from './model-registry.ts';

const SHIPPED = join(import.meta.dirname, '../../models');
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kat-models-'));
  cpSync(SHIPPED, folder, { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true }));

const bobcatFile = (name: string): string => join(folder, 'bobcat', name);
const edit = (name: string, change: (text: string) => string): void =>
  writeFileSync(bobcatFile(name), change(readFileSync(bobcatFile(name), 'utf8')));

test('the shipped Bobcat forecasts; Panther and Lion say that they are not trained', () => {
  const registry = openModelRegistry(folder);

  expect(registry.ready('bobcat').modelVersion).toMatch(/^bobcat-har-[0-9a-f]{10}$/);
  expect(codeOf(() => registry.ready('panther'))).toBe('forecast/not-trained');
  expect(codeOf(() => registry.ready('lion'))).toBe('forecast/not-trained');
});

test.each<[string, () => void, RegExp]>([
  ['one digit altered', () => edit('model.json', (t) => t.replace(/1/, '2')), /checksum/],
  ['no coefficients', () => rmSync(bobcatFile('model.json')), /ENOENT/],
  ['no manifest', () => rmSync(bobcatFile('manifest.json')), /ENOENT/],
  ['a torn manifest', () => edit('manifest.json', (t) => t.slice(0, 200)), /JSON/],
  [
    'another model name',
    () => edit('manifest.json', (t) => t.replace('"bobcat"', '"lion"')),
    /manifest is that of lion/,
  ],
  ['another stream version', () => edit('manifest.json', (t) => t.replace('213', '999')), /stream version/],
  ['features in another order', () => edit('manifest.json', (t) => t.replace('"one",', '"two",')), /feature order/],
])('%s disables the model with its reason and leaves the others alone', (_what, spoil, reason) => {
  spoil();

  const registry = openModelRegistry(folder);

  expect(registry.states.bobcat).toEqual({ state: 'disabled', reason: expect.stringMatching(reason) });
  expect(codeOf(() => registry.ready('bobcat'))).toBe('forecast/failed');
  expect(registry.states.lion.state).toBe('not-trained');
});

test('what the page may know: state, kind and version of each model, and no reason with a path in it', () => {
  rmSync(join(folder, 'panther'), { recursive: true });

  const statuses = modelStatuses(openModelRegistry(folder));

  expect(statuses).toEqual({
    bobcat: { state: 'ready', kind: 'statistical', version: expect.stringMatching(/^bobcat-har-[0-9a-f]{10}$/) },
    panther: { state: 'disabled', kind: null, version: null },
    lion: { state: 'not-trained', kind: null, version: null },
  });
});

test('a folder that is not there disables every model and throws nothing', () => {
  const registry = openModelRegistry(join(folder, 'nowhere'));

  expect(Object.values(registry.states).map((s) => s.state)).toEqual(['disabled', 'disabled', 'disabled']);
});

test('the model stays usable after its files are gone', () => {
  const { forecast } = openModelRegistry(folder).ready('bobcat');
  rmSync(bobcatFile('model.json'));

  const { path } = forecast(
    { sym: 'BTCUSDT.P', assetClass: 'crypto', tickSize: 0.1 },
    generatedCandles({ seed: 'registry', count: 450, firstOpen: 60_000, tickSize: 0.1 }),
  );

  expect(path).toHaveLength(50);
});

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return isAppError(error) ? error.code : String(error);
  }
  return 'nothing thrown';
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Candle } from '../../../domain/market/candle.ts';
import { SIGMA_UNITS } from '../../../domain/record/ledger/ledger.ts';
import { BASELINE_CLASSES, harUpper } from '../../../domain/record/scoring/baseline-table.ts';
import { SCORED_BARS } from '../../../domain/record/scoring/scoring.ts';
import { generatedCandles } from '../../../server/forecast/models/generated-candles.ts';
import { openBaselines } from '../../../server/record/house/baselines.ts';
import { harForecast } from '../../../server/record/house/har-forecast.ts';
import { type CandleFile, inTimeframe } from '../candle-files.ts';
import { empiricalTable, standardised } from '../quantile-tables.ts';
import { windowsOf } from '../windows/windows.ts';
import { fitBaseline } from './baseline-file.ts';
import { fitHar } from './har-baseline.ts';

const FIT_END_S = Date.parse('2025-01-01T00:00:00Z') / 1000;
/** A third of the one day of 2025 in the files. */
const SHARES_FIT_END_S = FIT_END_S + 8 * 3600;
const START_S = FIT_END_S - 6 * 86_400;
const folder = mkdtempSync(join(tmpdir(), 'kat-baseline-'));
afterAll(() => rmSync(folder, { recursive: true }));

function aFile(assetClass: CandleFile['assetClass'], change: (candle: Candle) => Candle = (c) => c): CandleFile {
  const options = { seed: assetClass, count: 7 * 1440, startS: START_S, firstOpen: 2500, tickSize: 0.01 };
  // With candles of 2024 alone, the file would count as a perpetual's.
  return {
    name: assetClass,
    assetClass,
    sha256: 'x',
    timeframe: '1min',
    candles: generatedCandles(options).map(change),
  };
}

const files = BASELINE_CLASSES.map((assetClass) => aFile(assetClass));
const fitted = fitBaseline(files, 7);
/** Ten weeks of minutes, so that a quarter of an hour has as many windows as are needed. */
const LONG_FILE: CandleFile = {
  ...aFile('crypto'),
  candles: generatedCandles({
    seed: 'long',
    count: 70 * 1440,
    startS: FIT_END_S - 70 * 86_400,
    firstOpen: 2500,
    tickSize: 0.01,
  }),
};
const longer = fitBaseline([inTimeframe(LONG_FILE, '5min')], 7);
const longest = fitBaseline([inTimeframe(LONG_FILE, '15min')], 1);
const past = { startS: 0, endS: FIT_END_S };

test('gives for every window, once written and read again, the very numbers of the measuring', async () => {
  writeFileSync(join(folder, `${fitted.table.version}.json`), fitted.text);
  for (const { table, text } of [longer, longest]) writeFileSync(join(folder, `${table.version}.json`), text);
  const versions = { '5min': longer.table.version, '15min': longest.table.version };
  writeFileSync(join(folder, 'current.json'), JSON.stringify({ version: fitted.table.version, ...versions }));
  const { currentOf } = await openBaselines(folder);
  const current = currentOf('1min');
  expect([currentOf('5min').tf, currentOf('15min').tf]).toEqual(['5min', '15min']);

  const file = files[0] ?? aFile('crypto');
  const prior = [...windowsOf(file, past, 7)];
  const measured = fitHar(prior);
  const later = [...windowsOf(file, { startS: FIT_END_S, endS: Number.POSITIVE_INFINITY }, 13)];

  expect(later.length).toBeGreaterThan(40);
  for (const { features } of later) {
    expect(harForecast(current.classes.crypto, features)).toEqual(measured(features));
  }
  const whole = empiricalTable(prior.map((w) => standardised(w.future.change, measured(w.features).sigma)));
  expect(current.classes.crypto.upper).toEqual(SCORED_BARS.map((bar) => whole[bar - 1]));
});

test('restores a record’s quantiles from its whole numbers to less than a hundredth of a basis point', () => {
  const file = files[0] ?? aFile('crypto');
  const [window] = [...windowsOf(file, past, 7)];
  if (window === undefined) throw new Error('no window');
  const { sigma } = harForecast(fitted.table.classes.crypto, window.features);
  const har = SCORED_BARS.map((bar) => Math.round(SIGMA_UNITS * (sigma[bar - 1] ?? 0)));

  const upper = harUpper({ har, sym: 'BTCUSDT.P' }, fitted.table);

  const exact = fitted.table.classes.crypto.upper.map((row, at) =>
    row.map((q) => q * (sigma[(SCORED_BARS[at] ?? 1) - 1] ?? 0)),
  );
  expect(Math.max(...upper.flatMap((row, at) => row.map((q, i) => Math.abs(q - (exact[at]?.[i] ?? 9)))))).toBeLessThan(
    1e-6,
  );
});

test('changes with the last minute of the fitted span, and not with anything after it', () => {
  const since = (fromS: number): string => {
    const changed = files.map(({ assetClass }) =>
      aFile(assetClass, (c) => (c.time < fromS ? c : { ...c, open: 3 * c.open, high: 4 * c.high, close: 3 * c.close })),
    );
    return fitBaseline(changed, 7).table.version;
  };

  expect(since(SHARES_FIT_END_S)).toBe(fitted.table.version);
  expect(since(FIT_END_S - 3600)).not.toBe(fitted.table.version);
});

test('derives the name from the content', async () => {
  const path = join(folder, `${fitted.table.version}.json`);
  writeFileSync(path, fitted.text.replace('"windows":', '"windows":1'));

  await expect(openBaselines(folder)).rejects.toThrow('does not match its name');
});

test('rejects a class with too few windows', () => {
  expect(() => fitBaseline(files.slice(0, 2), 7)).toThrow('metal: 0 windows');
});

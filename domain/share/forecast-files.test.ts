import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Candle } from '../market/candle.ts';
import { forecastCsv, forecastFileName, forecastJson } from './forecast-files.ts';
import { forecastVerdict, releasesSentence } from './forecast-verdict.ts';
import type { ForecastContent, ForecastView } from './forecast-view.ts';

const JOIN_S = 1_790_000_040;

function candles(firstBar: number, count: number): Candle[] {
  return Array.from({ length: count }, (_, i) => {
    const close = 100 + (firstBar + i) / 8;
    return { time: JOIN_S + (firstBar + i) * 60, open: close, high: close + 2, low: close - 2, close };
  });
}

const edge = (price: number): number[] => Array.from({ length: 50 }, (_, i) => price + i / 16);
const BAND = { lower80: edge(99), upper80: edge(103), lower95: edge(98), upper95: edge(104) };

function aView(content: Partial<ForecastContent> = {}, subject: Partial<ForecastView> = {}): ForecastView {
  return {
    id: null,
    origin: 'unsaved',
    label: 'BTC',
    model: 'lion',
    timeframe: '1min',
    market: 'simulated',
    decimals: 1,
    joinS: JOIN_S,
    issuedMs: (JOIN_S + 61) * 1000,
    seal: null,
    state: 'running',
    content: {
      lastClose: 100,
      history: candles(-149, 150),
      path: candles(1, 50),
      band: BAND,
      outcome: [],
      bandBars: Array.from({ length: 50 }, (_, i) => i + 1),
      ...content,
    },
    ...subject,
  } as ForecastView;
}

const isoTime = z.iso.datetime();
const candle = z.strictObject({
  time: isoTime,
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
});
const fileSchema = z.strictObject({
  id: z.nullable(z.string()),
  origin: z.enum(['house', 'saved', 'latest', 'unsaved']),
  coin: z.string(),
  model: z.string(),
  timeframe: z.string(),
  market: z.string(),
  state: z.string(),
  ampPercent: z.optional(z.number()),
  arrived: z.optional(z.int()),
  of: z.optional(z.literal(50)),
  issuedAt: isoTime,
  endsAt: isoTime,
  verdict: z.string(),
  record: z.null(),
  lastClose: z.number(),
  history: z.array(candle),
  forecast: z.array(candle),
  band: z.array(
    z.strictObject({
      bar: z.int(),
      time: isoTime,
      lower80: z.number(),
      upper80: z.number(),
      lower95: z.number(),
      upper95: z.number(),
    }),
  ),
  releases: z.optional(
    z.strictObject({
      list: z.array(z.strictObject({ at: isoTime, kind: z.string(), title: z.string(), name: z.string() })),
      widthFactor: z.number(),
      isComplete: z.boolean(),
    }),
  ),
  outcome: z.array(z.strictObject({ bar: z.int(), time: isoTime, close: z.number() })),
  notice: z.literal('For research and education only. Not financial advice.'),
});

const read = (view: ForecastView) => z.parse(fileSchema, JSON.parse(JSON.stringify(forecastJson(view), null, 2)));
const cellsOf = (view: ForecastView) =>
  forecastCsv(view)
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));

const price = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
const anyCandle = fc.tuple(price, price, price, price).map(([open, high, low, close]) => ({ open, high, low, close }));

test('keeps every price of the chart in JSON, by the file’s schema', () => {
  fc.assert(
    fc.property(
      fc.array(anyCandle, { minLength: 1, maxLength: 50 }),
      fc.array(anyCandle, { minLength: 1, maxLength: 50 }),
      (history, path) => {
        const real = history.map((one, i) => ({ ...one, time: JOIN_S - (history.length - 1 - i) * 60 }));
        const drawn = path.map((one, i) => ({ ...one, time: JOIN_S + (i + 1) * 60 }));
        const file = read(aView({ history: real, path: drawn }));
        const back = (all: typeof file.history) =>
          all.map(({ time, ...one }) => ({ ...one, time: Date.parse(time) / 1000 }));
        expect(back(file.history)).toEqual(real);
        expect(back(file.forecast)).toEqual(drawn);
      },
    ),
  );
});

test('keeps every price of the chart in CSV, a row for each candle and each close of the outcome', () => {
  const outcome = candles(1, 12).map(({ close }, i) => ({ bar: i + 1, close }));
  const [head, ...rows] = cellsOf(aView({ outcome }));

  const edges = ['lower80', 'upper80', 'lower95', 'upper95'];
  expect(head).toEqual(['time', 'kind', 'open', 'high', 'low', 'close', ...edges, 'release']);
  const ofKind = (kind: string) => rows.filter((cells) => cells[1] === kind);
  const numbers = (cells: string[], from: number, to: number) => cells.slice(from, to).map(Number);
  expect(ofKind('history').map((cells) => numbers(cells, 2, 6))).toEqual(
    candles(-149, 150).map(({ open, high, low, close }) => [open, high, low, close]),
  );
  expect(ofKind('forecast').map((cells) => numbers(cells, 2, 10))).toEqual(
    candles(1, 50).map(({ open, high, low, close }, i) => [
      ...[open, high, low, close],
      ...[BAND.lower80[i], BAND.upper80[i], BAND.lower95[i], BAND.upper95[i]],
    ]),
  );
  expect(ofKind('outcome').map((cells) => Number(cells[5]))).toEqual(outcome.map(({ close }) => close));
  expect(rows).toHaveLength(150 + 50 + 12);
});

test('says in JSON and in a sentence what is released within it', () => {
  const release = { atS: JOIN_S + 600, kind: 'inflation', title: 'CPI m/m', name: 'US CPI' };
  const view = aView({ releases: { list: [release], factor: 1.9, isComplete: true } });

  expect(read(view).releases).toEqual({
    list: [{ at: '2026-09-21T14:24:00Z', kind: 'inflation', title: 'CPI m/m', name: 'US CPI' }],
    widthFactor: 1.9,
    isComplete: true,
  });
  expect(releasesSentence(view)).toBe('Band 1.9 times wider for US CPI at 14:24 UTC.');
  expect(read(aView()).releases).toBeUndefined();
  expect(releasesSentence(aView())).toBeNull();
});

test.each([
  ['1min', 60],
  ['15min', 900],
] as const)('names a release in CSV in the row of its %s bar of the forecast, and in no other', (timeframe, barS) => {
  const release = { atS: JOIN_S + 10 * barS + 30, kind: 'other', title: '=1+1, x', name: '=1+1' };
  const releases = { list: [{ ...release, atS: JOIN_S + barS }, release], factor: 1.9, isComplete: true };
  const outcome = [{ bar: 10, close: 100 }];
  const path = candles(1, 50).map((one, i) => ({ ...one, time: JOIN_S + (i + 1) * barS }));
  const [, ...rows] = cellsOf(aView({ path, releases, outcome }, { timeframe }));

  const named = rows.filter((cells) => cells.at(-1) !== '');
  expect(named.map(([time, kind, ...cells]) => [Date.parse(time ?? '') / 1000, kind, cells.at(-1)])).toEqual([
    [JOIN_S + barS, 'forecast', "'=1+1"],
    [JOIN_S + 10 * barS, 'forecast', "'=1+1"],
  ]);
  expect(rows.every((cells) => cells.length === 11)).toBe(true);
});

test('says how much of a forecast has arrived, in the sentence, in JSON and in the file’s name', () => {
  const view = aView({ path: candles(1, 12) });

  expect(forecastVerdict(view)).toMatch(/^12 of 50 candles have arrived\. Runs until /);
  expect(read(view)).toMatchObject({ arrived: 12, of: 50 });
  expect(read(view).forecast).toHaveLength(12);
  expect(forecastFileName(view, 'csv')).toBe('kat-BTC-1min-2026-09-21T14-15-lion-12-of-50-candles.csv');
  expect(read(aView())).not.toHaveProperty('arrived');
  expect(forecastFileName(aView(), 'png')).toBe('kat-BTC-1min-2026-09-21T14-15-lion.png');
});

test('has the bands of all bars in CSV before their candles have arrived', () => {
  const rows = cellsOf(aView({ path: candles(1, 12) })).filter((cells) => cells[1] === 'forecast');

  expect(rows).toHaveLength(50);
  expect(rows.filter((cells) => cells[5] === '')).toHaveLength(38);
  expect(rows.every((cells) => cells[6] !== '')).toBe(true);
});

test('has no edges for a forecast without bands', () => {
  const none = { lower80: [], upper80: [], lower95: [], upper95: [] };
  const view = aView({ band: none, bandBars: [] });

  expect(cellsOf(view).filter((cells) => cells[1] === 'forecast' && cells.slice(6).join('') === '')).toHaveLength(50);
  expect(read(view).band).toEqual([]);
});

test('says that a forecast is amplified', () => {
  expect(read(aView({}, { ampPercent: 300 }))).toMatchObject({ ampPercent: 300 });
});

test('has no cell but times, kinds and plain numbers, so that a spreadsheet has nothing to run', () => {
  const plain = /^(?:|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z|history|forecast|outcome|\d+(?:\.\d+)?(?:e[+-]\d+)?)$/;
  fc.assert(
    fc.property(fc.array(anyCandle, { minLength: 1, maxLength: 50 }), fc.string(), (path, label) => {
      const drawn = path.map((one, i) => ({ ...one, time: JOIN_S + (i + 1) * 60 }));
      const outcome = path.map(({ close }, i) => ({ bar: i + 1, close }));
      const [, ...rows] = cellsOf(aView({ path: drawn, outcome }, { label }));
      for (const cells of rows) for (const cell of cells) expect(cell).toMatch(plain);
    }),
  );
});

test('has a name that leaves no folder, whatever a market is called', () => {
  fc.assert(
    fc.property(fc.string(), (label) => {
      expect(forecastFileName(aView({}, { label }), 'csv')).toMatch(/^kat-[A-Za-z0-9_-]*\.csv$/);
    }),
  );
});

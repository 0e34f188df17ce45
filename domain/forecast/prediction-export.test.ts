import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyTextOf } from '../format/testing/any-text.ts';
import type { Candle } from '../market/candle.ts';
import type { OutcomeRow } from '../record/scoring/outcome.ts';
import { scorePath } from '../record/scoring/scoring.ts';
import type { PredictionRow } from './prediction.ts';
import {
  exportName,
  predictionCsv,
  predictionCsvRows,
  predictionJson,
  predictionsCsvHeading,
} from './prediction-export.ts';

const T0 = 1_790_000_040;

function candles(from: number, count: number, close = 100.5): Candle[] {
  return Array.from({ length: count }, (_, i) => ({
    time: T0 + 60 * (from + i),
    open: 100,
    high: 102.25,
    low: 99,
    close,
    volume: 1e-7,
  }));
}

function aRow(change: Partial<PredictionRow> = {}): PredictionRow {
  return {
    id: 'p1',
    user_id: 'u1',
    cryptocurrency: 'BTC',
    timeframe: '1min',
    model: 'kat2_4',
    created_at: '2026-11-22T14:05:30.123456+00:00',
    data: candles(-149, 200),
    ...change,
  };
}

const outcome = candles(1, 50, 101);
const known: OutcomeRow = {
  prediction_id: 'p1',
  market_kind: 'live',
  due_at: '2026-11-22T14:55:00+00:00',
  state: 'known',
  candles: outcome,
  score: scorePath({ lastClose: 100.5, path: candles(1, 50), outcome }),
};

/** Reads RFC 4180 as strictly as it is written. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') rows.push(row.splice(0));
  }
  row = [];
  return rows;
}

test('writes a heading and a row for each candle, by kind, in UTC', () => {
  const rows = readCsv(predictionCsv({ row: aRow(), outcome: known }));

  expect(rows[0]).toEqual(['time', 'kind', 'open', 'high', 'low', 'close', 'volume', 'release']);
  expect(rows).toHaveLength(1 + 150 + 50 + 50);
  expect(rows[150]).toEqual(['2026-09-21T14:14:00Z', 'history', '100', '102.25', '99', '100.5', '1e-7', '']);
  expect(rows[151]).toEqual(['2026-09-21T14:15:00Z', 'forecast', '100', '102.25', '99', '100.5', '1e-7', '']);
  expect(rows[201]).toEqual(['2026-09-21T14:15:00Z', 'outcome', '100', '102.25', '99', '101', '1e-7', '']);
});

test('ends every line as the format says, the last one too', () => {
  expect(predictionCsv({ row: aRow({ data: [] }), outcome: null })).toBe(
    'time,kind,open,high,low,close,volume,release\r\n',
  );
});

const release = { atS: T0 + 600 + 30, kind: 'inflation', title: 'CPI m/m', name: 'US CPI' };
const releases = { list: [release], factor: 1.9, isComplete: true };

test.each([1, 15])('names a release in the row of its bar of the forecast alone, bars of %d minutes', (minutes) => {
  const data = candles(-149, 200).map((one) => ({ ...one, time: T0 + (one.time - T0) * minutes }));
  const list = [{ ...release, atS: T0 + (release.atS - T0) * minutes }];
  const row = aRow({ data, releases: { ...releases, list } });
  const rows = readCsv(predictionCsv({ row, outcome: known }));

  const named = rows.slice(1).filter((cells) => cells[7] !== '');
  expect(named.map((cells) => [Date.parse(cells[0] ?? '') / 1000, cells[1], cells[7]])).toEqual([
    [T0 + 600 * minutes, 'forecast', 'US CPI'],
  ]);
});

test('names releases in JSON, and none of a prediction without any or of a short one', () => {
  const { atS: _, ...named } = release;
  expect(predictionJson({ row: aRow({ releases }), outcome: null })).toMatchObject({
    releases: { list: [{ ...named, at: '2026-09-21T14:24:30Z' }], widthFactor: 1.9, isComplete: true },
  });
  expect(predictionJson({ row: aRow(), outcome: null })).toMatchObject({ releases: null });
  const short = aRow({ data: candles(0, 15), releases });
  expect(readCsv(predictionCsv({ row: short, outcome: null })).filter((cells) => cells[7] === 'US CPI')).toEqual([]);
});

test('marks no candle of a short prediction as forecast', () => {
  const rows = readCsv(predictionCsv({ row: aRow({ data: JSON.stringify(candles(0, 3)) }), outcome: null }));

  expect(rows.slice(1).map((cells) => cells[1])).toEqual(['unknown', 'unknown', 'unknown']);
});

test('names the prediction in each row of a file of many', () => {
  const text = predictionsCsvHeading() + predictionCsvRows({ row: aRow(), outcome: null });
  const rows = readCsv(text);

  expect(rows[0]?.slice(0, 5)).toEqual(['prediction', 'coin', 'timeframe', 'model', 'saved_at']);
  expect(rows[1]?.slice(0, 7)).toEqual([
    ...['p1', 'BTC', '1min', 'Lion (Kat 2.4)', '2026-11-22T14:05:30Z', '2026-09-21T11:45:00Z', 'history'],
  ]);
});

test('keeps the name of a model and the time of a row that it cannot read', () => {
  const json = predictionJson({ row: aRow({ model: 'kat9', created_at: 'yesterday' }), outcome: null });

  expect(json).toMatchObject({ model: 'kat9', savedAt: 'yesterday' });
});

test('separates no parts of a short prediction in JSON', () => {
  const json = predictionJson({ row: aRow({ data: candles(0, 3) }), outcome: null });

  expect(json).toMatchObject({ history: [], forecast: [], candles: [{ close: 100.5 }, {}, {}] });
});

test('leaves the volume of a feed without any out', () => {
  const { volume: _volume, ...candle } = candles(1, 1)[0] ?? {};
  const row = aRow({ data: [candle] });

  expect(readCsv(predictionCsv({ row, outcome: null }))[1]?.[6]).toBe('');
  expect(JSON.stringify(predictionJson({ row, outcome: null }))).not.toContain('volume');
});

test.each(['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://x","y")'])(
  'keeps a spreadsheet from running %j',
  (cryptocurrency) => {
    const text = predictionCsvRows({ row: aRow({ cryptocurrency }), outcome: null });

    expect(readCsv(text)[0]?.[1]).toBe(`'${cryptocurrency}`);
  },
);

test('writes any text as one cell that reads back', () => {
  fc.assert(
    fc.property(anyTextOf({ minLength: 1, maxLength: 20 }), (cryptocurrency) => {
      const row = aRow({ cryptocurrency, data: candles(0, 1) });
      const [cells] = readCsv(predictionCsvRows({ row, outcome: null }));

      expect(cells).toHaveLength(13);
      expect([cryptocurrency, `'${cryptocurrency}`]).toContain(cells?.[1]);
    }),
  );
});

test('separates the parts in JSON, with the score', () => {
  const json = JSON.parse(JSON.stringify(predictionJson({ row: aRow(), outcome: known })));

  expect([json.history.length, json.forecast.length, json.outcome.candles.length]).toEqual([150, 50, 50]);
  expect(json).toMatchObject({ id: 'p1', coin: 'BTC', model: 'Lion (Kat 2.4)', savedAt: '2026-11-22T14:05:30Z' });
  expect(json.outcome).toMatchObject({ state: 'known', marketKind: 'live' });
  expect(json.outcome.score.path.maeBp).toBeGreaterThan(0);
  expect(json.candles).toBeUndefined();
  expect(json.band).toBeNull();
});

test('adds the bands in JSON where they were saved', () => {
  const edge = (price: number) => Array.from({ length: 50 }, () => price);
  const band = { lower80: edge(99), upper80: edge(101), lower95: edge(98), upper95: edge(102) };

  expect(predictionJson({ row: aRow({ band }), outcome: null })).toMatchObject({ band });
});

test('gives the reason of an unscored prediction, and the due time of a waiting one', () => {
  const { candles: _candles, score: _score, ...rest } = known;
  const outcomeOf = (outcome: OutcomeRow | null) =>
    JSON.parse(JSON.stringify(predictionJson({ row: aRow(), outcome }))).outcome;

  expect(outcomeOf({ ...rest, state: 'void', void_reason: 'market-closed' })).toEqual({
    state: 'void',
    dueAt: rest.due_at,
    reason: 'market-closed',
  });
  expect(outcomeOf({ ...rest, state: 'waiting' })).toEqual({ state: 'waiting', dueAt: rest.due_at });
  expect(outcomeOf(null)).toBeNull();
});

test('names of files hold nothing that a path could', () => {
  expect(exportName(aRow(), 'csv')).toBe('kat-BTC-2026-11-22T14-05-kat2_4.csv');
  expect(exportName(aRow({ timeframe: '5min' }), 'csv')).toBe('kat-BTC-5min-2026-11-22T14-05-kat2_4.csv');
  expect(exportName(aRow({ cryptocurrency: '../../a b"\n', created_at: '/etc' }), 'json')).toBe(
    'kat-------a-b----etc-kat2_4.json',
  );
});

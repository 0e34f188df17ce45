import { expect, test } from 'vitest';
import { predictionRowSchema, readSavedCandles } from './prediction.ts';

const aCandle = (time: number) => ({ time, open: 1, high: 3, low: 0.5, close: 2, volume: 7 });
const twoHundred = Array.from({ length: 200 }, (_, i) => aCandle(i * 60));

test('reads a list and the JSON text of a list alike', () => {
  expect(readSavedCandles(twoHundred)).toEqual({ candles: twoHundred, isShort: false });
  expect(readSavedCandles(JSON.stringify(twoHundred))).toEqual({ candles: twoHundred, isShort: false });
});

test('reads only the last 200 of more', () => {
  const { candles } = readSavedCandles([...twoHundred, aCandle(12_000)]);

  expect(candles).toHaveLength(200);
  expect(candles.at(0)?.time).toBe(60);
  expect(candles.at(-1)?.time).toBe(12_000);
});

test.each([
  ['null', null],
  ['a text', 'candle'],
  ['a number', 5],
  ['a list', [0, 1, 3, 0.5, 2]],
  ['a text for a price', { ...aCandle(0), close: '2' }],
  ['no time', { open: 1, high: 3, low: 0.5, close: 2 }],
  ['an endless price', { ...aCandle(0), high: Number.POSITIVE_INFINITY }],
  ['an invalid price', { ...aCandle(0), low: Number.NaN }],
])('drops an entry: %s', (_what, entry) => {
  expect(readSavedCandles([entry, aCandle(60)])).toEqual({ candles: [aCandle(60)], isShort: true });
});

test.each([
  ['none', undefined],
  ['a text', '7'],
  ['null', null],
  ['not a number', Number.NaN],
])('reads a candle whose volume is %s without it', (_what, volume) => {
  const { volume: _, ...prices } = aCandle(60);

  expect(readSavedCandles([{ ...prices, volume }]).candles).toStrictEqual([prices]);
});

test('drops properties that no candle has', () => {
  expect(readSavedCandles([{ ...aCandle(60), extra: '<script>' }]).candles).toStrictEqual([aCandle(60)]);
});

test.each([[null], [undefined], ['{'], ['{"time":1}'], [7], [{}]])('reads no candles from %s', (data) => {
  expect(readSavedCandles(data)).toEqual({ candles: [], isShort: true });
});

test.each([
  ['milliseconds', 1_790_000_040_000],
  ['numeric text', '1790000040'],
  ['numeric text of milliseconds', '1790000040000'],
])('reads a time in %s as the same moment', (_what, time) => {
  expect(readSavedCandles([{ time, open: 1, high: 2, low: 1, close: 2 }]).candles[0]?.time).toBe(1_790_000_040);
});

test.each([
  ['no date at all', 1e300],
  ['words', 'noon'],
  ['nothing', ''],
  ['a list', [60]],
  ['true', true],
])('drops an entry whose time is %s', (_what, time) => {
  expect(readSavedCandles([{ time, open: 1, high: 2, low: 1, close: 2 }]).candles).toEqual([]);
});

const edge = (price: unknown) => Array.from({ length: 50 }, () => price);
const aBand = { lower80: edge(99), upper80: edge(101), lower95: edge(98), upper95: edge(102) };
const aRow = {
  id: 'p',
  user_id: 'u',
  cryptocurrency: 'BTC',
  timeframe: '1min',
  model: 'kat1',
  created_at: '',
  data: [],
};

test('reads the bands of a saved prediction', () => {
  expect(predictionRowSchema.parse({ ...aRow, band: aBand }).band).toEqual(aBand);
});

test.each([
  ['null', null],
  ['a text', 'band'],
  ['an edge of 49 prices', { ...aBand, lower80: edge(99).slice(1) }],
  ['a text among its prices', { ...aBand, upper95: edge('102') }],
  ['a price of zero', { ...aBand, lower95: edge(0) }],
  ['no wider band', { lower80: aBand.lower80, upper80: aBand.upper80 }],
])('reads a row whose band is %s as one without bands', (_what, band) => {
  expect(predictionRowSchema.parse({ ...aRow, band }).band).toBeNull();
});

test('reads a row from before bands were saved', () => {
  expect(predictionRowSchema.parse(aRow).band).toBeUndefined();
});

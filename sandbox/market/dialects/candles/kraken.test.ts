import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openedForTests } from '../../../../tests/support/run/opened-for-tests.ts';
import { DIALECT_NOW_MS, openedDialect } from '../../testing/opened-dialect.ts';
import { krakenDialect } from './kraken.ts';

const MINUTE_S = Math.floor(DIALECT_NOW_MS / 60_000) * 60;
const rowSchema = z.tuple([z.int(), z.string()], z.unknown());
const resultSchema = z.object({ error: z.array(z.string()), result: z.record(z.string(), z.unknown()) });

const opened = openedForTests(() => openedDialect(krakenDialect));

function rowsOf(query: string) {
  const { result } = resultSchema.parse(opened().get(`/0/public/OHLC?${query}`).body);
  const { last, ...pairs } = result;
  const [[key, rows] = expect.fail('no pair')] = Object.entries(pairs);
  return { key, last, rows: z.array(rowSchema).parse(rows) };
}

test('gives 720 minutes without an interval, the last one unfinished, and the start of the last finished one', () => {
  const { key, last, rows } = rowsOf('pair=XBTUSD');

  expect([key, rows.length, rows[0]?.[0], rows.at(-1)?.[0]]).toEqual(['XXBTZUSD', 720, MINUTE_S - 719 * 60, MINUTE_S]);
  expect(last).toBe(MINUTE_S - 60);
});

test('gives only the rows after `since`', () => {
  expect(rowsOf(`pair=ETHUSD&since=${MINUTE_S - 180}`).rows.map(([startS]) => startS - MINUTE_S)).toEqual([
    -120, -60, 0,
  ]);
});

test('lists generated pairs too, and serves each the same way every time', () => {
  const { result } = resultSchema.parse(opened().get('/0/public/AssetPairs').body);
  const names = Object.values(z.record(z.string(), z.object({ altname: z.string() })).parse(result));
  const generated = names.map(({ altname }) => altname).filter((name) => !/^(?:XBT|ETH|SOL|XDG)USD$/.test(name));

  expect(generated.length).toBeGreaterThan(20);
  const name = generated.at(-1) ?? '';
  const first = rowsOf(`pair=${name}&since=${MINUTE_S - 120}`);
  expect(first.rows.map(([startS]) => startS - MINUTE_S)).toEqual([-60, 0]);
  expect(rowsOf(`pair=${name}&since=${MINUTE_S - 120}`)).toEqual(first);
});

test.each([
  ['pair=NONEUSD', 'EQuery:Unknown asset pair'],
  ['', 'EGeneral:Invalid arguments'],
  ['pair=XBTUSD&interval=7', 'EGeneral:Invalid arguments'],
  ['pair=XBTUSD&interval=43200', 'EGeneral:Invalid arguments'],
  ['pair=XBTUSD&since=yesterday', 'EGeneral:Invalid arguments'],
])('refuses candles for ?%s in a list of errors', (query, error) => {
  expect(opened().get(`/0/public/OHLC?${query}`)).toMatchObject({ status: 200, body: { error: [error] } });
});

test('answers an unknown method with an error, and status 200', () => {
  expect(opened().get('/0/public/Depth')).toEqual({ status: 200, body: { error: ['EGeneral:Unknown method'] } });
});

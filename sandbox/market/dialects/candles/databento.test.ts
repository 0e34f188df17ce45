import { expect, test } from 'vitest';
import { openedForTests } from '../../../../tests/support/run/opened-for-tests.ts';
import { openedDialect } from '../../testing/opened-dialect.ts';
import { databentoDialect } from './databento.ts';

const KEY = { authorization: `Basic ${btoa('sandbox:')}` };
const DATASET = '/v0/metadata.get_dataset_range?dataset=GLBX.MDP3';
const RANGE =
  '/v0/timeseries.get_range?dataset=GLBX.MDP3&symbols=GC.v.0&stype_in=continuous&schema=ohlcv-1m&encoding=json';
const SPAN = '&start=2025-11-12T15:00:00Z&end=2025-11-12T15:03:00Z';

const opened = openedForTests(() => openedDialect(databentoDialect));

test('names the end of a dataset, which is the running minute’s start', () => {
  const span = { start: '2010-06-06T00:00:00.000000000Z', end: '2025-11-12T15:30:00.000000000Z' };

  expect(opened().get(DATASET, KEY)).toEqual({ status: 200, body: { ...span, schema: { 'ohlcv-1m': span } } });
});

test('gives the candles of a range without its end, as lines', () => {
  const { status, lines, body } = opened().get(RANGE + SPAN, KEY);

  expect([status, lines]).toEqual([200, true]);
  expect(JSON.stringify(body).match(/"ts_event":"\d+"/g)).toEqual(
    [0, 60, 120].map((s) => `"ts_event":"${Date.parse('2025-11-12T15:00:00Z') / 1000 + s}000000000"`),
  );
});

test.each([
  ['another path', '/v0/metadata.list_datasets', 404, 'not_found'],
  ['an unknown dataset', DATASET.replace('GLBX.MDP3', 'XNAS.ITCH'), 422, 'dataset_invalid'],
  ['no dataset', '/v0/timeseries.get_range', 422, 'dataset_invalid'],
  ['an unknown symbol', RANGE.replace('GC.v.0', 'ES.v.0') + SPAN, 422, 'symbology_invalid_request'],
  ['the symbol of another dataset', RANGE.replace('GC.v.0', 'DX.v.0') + SPAN, 422, 'symbology_invalid_request'],
  ['another symbology', RANGE.replace('continuous', 'raw_symbol') + SPAN, 422, 'symbology_invalid_request'],
  ['another schema', RANGE.replace('ohlcv-1m', 'ohlcv-1s') + SPAN, 422, 'schema_or_encoding_invalid'],
  ['another encoding', RANGE.replace('json', 'dbn') + SPAN, 422, 'schema_or_encoding_invalid'],
  ['no times', RANGE, 422, 'data_time_range_start_on_or_after_end'],
  [
    'a start at the end',
    `${RANGE}&start=2025-11-12T15:00:00Z&end=2025-11-12T15:00:00Z`,
    ...([422, 'data_time_range_start_on_or_after_end'] as const),
  ],
] as const)('refuses a call for %s', (_what, target, status, reason) => {
  expect(opened().get(target, KEY)).toMatchObject({ status, body: { detail: { case: reason, status_code: status } } });
});

test('refuses a range past the end of the data, and names that end', () => {
  const late = opened().get(`${RANGE}&start=2025-11-12T15:00:00Z&end=2025-11-12T15:31:00Z`, KEY);

  expect(late).toMatchObject({
    status: 422,
    body: {
      detail: {
        case: 'data_end_after_available_end',
        message: expect.stringContaining("available up to '2025-11-12T15:30:00.000000000Z'"),
        payload: { dataset: 'GLBX.MDP3', available_end: '2025-11-12T15:30:00.000000000Z' },
      },
    },
  });
});

test.each([
  ['none', {}],
  ['a wrong one', { authorization: `Basic ${btoa('other:')}` }],
])('refuses a caller with a key: %s', (_what, headers) => {
  expect(opened().get(DATASET, headers)).toMatchObject({
    status: 401,
    body: { detail: { case: 'auth_authentication_failed' } },
  });
});

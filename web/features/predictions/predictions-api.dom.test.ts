import { waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { CALL_LIMIT_MS } from '../../platform/calls/time-limit.ts';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { fetchOutcomes, fetchPredictions, PREDICTIONS_FAILED } from './predictions-api.ts';
import { aKnownOutcome, aPage, aVoidOutcome, idsOf } from './testing/prediction-fixtures.ts';

const never = new AbortController().signal;

const ROW = {
  id: 'p1',
  user_id: 'u1',
  cryptocurrency: 'BTC',
  timeframe: '1min',
  model: 'kat1',
  created_at: '2026-01-06T12:00:00+00:00',
  data: [],
};

const PREDICTIONS = '/rest/v1/user_predictions';
const OUTCOMES = '/rest/v1/prediction_outcomes';
let backend: FakeBackend;
beforeEach(() => {
  backend = fakeBackend();
});

test('reads one page of the user’s rows, newest first, with the exact count', async () => {
  backend.on(`GET ${PREDICTIONS}`, () => aPage([ROW, { id: 7 }], 8, 9));

  const page = await fetchPredictions('u1', 8, 4, never);

  expect(page).toEqual({ rows: [ROW], total: 9 });
  const [request] = backend.to(PREDICTIONS);
  expect([...new URLSearchParams(request?.search)]).toEqual([
    ['select', '*'],
    ['user_id', 'eq.u1'],
    ['order', 'created_at.desc'],
    ['offset', '8'],
    ['limit', '4'],
  ]);
  expect(request?.headers.get('prefer')).toBe('count=exact');
});

test('requests outcomes for the predictions that are shown, and drops invalid ones', async () => {
  const outcomes = [aKnownOutcome('p1'), aVoidOutcome('p2', 'candles-gone')];
  backend.on(`GET ${OUTCOMES}`, () => json([...outcomes, { ...outcomes[0], candles: [] }, { state: 'lost' }]));

  expect(await fetchOutcomes(['p1', 'p2'], never)).toEqual(outcomes);
  expect(backend.to(OUTCOMES).map(({ search }) => [...new URLSearchParams(search)])).toEqual([
    [
      ['select', 'prediction_id,market_kind,due_at,state,void_reason,returned_at,candles,score'],
      ['prediction_id', 'in.(p1,p2)'],
    ],
  ]);
});

test('requests many in several calls, because their ids are in the address', async () => {
  backend.on(`GET ${OUTCOMES}`, () => json([]));

  await fetchOutcomes(
    Array.from({ length: 120 }, (_, i) => `p${i}`),
    never,
  );

  expect(backend.to(OUTCOMES).map((request) => idsOf(request).length)).toEqual([50, 50, 20]);
});

test.each([
  [
    'a refusal in the server’s words',
    () => json({ code: '57014', message: 'canceling statement' }, 500),
    'canceling statement',
  ],
  ['no answer in ours, not the browser’s', () => Promise.reject(new TypeError('Failed to fetch')), PREDICTIONS_FAILED],
  ['a refusal without words in ours', () => json({ code: 'XX000', message: '' }, 500), PREDICTIONS_FAILED],
])('reports %s, and leaves the next try to the page', async (_what, answer, message) => {
  backend.on(`GET ${PREDICTIONS}`, answer);

  await expect(fetchPredictions('u1', 0, 4, never)).rejects.toThrow(new Error(message));
  expect(backend.to(PREDICTIONS)).toHaveLength(1);
});

test.each([
  ['predictions', PREDICTIONS, (signal: AbortSignal) => fetchPredictions('u1', 0, 4, signal)],
  ['outcomes', OUTCOMES, (signal: AbortSignal) => fetchOutcomes(['p1'], signal)],
])(
  'fails for %s that is never answered after 15 seconds, and immediately once the caller has left',
  async (_what, path, call) => {
    backend.on(`GET ${path}`, () => new Promise(() => undefined));
    const limits: { ms: number; control: AbortController }[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const control = new AbortController();
      limits.push({ ms, control });
      return control.signal;
    });
    const seen = (count: number) => waitFor(() => expect(backend.to(path)).toHaveLength(count));
    const leaving = new AbortController();

    const left = expect(call(leaving.signal)).rejects.toThrow('left');
    await seen(1);
    leaving.abort(new Error('left'));
    await left;
    const late = expect(call(never)).rejects.toThrow(/^Failed to load/);
    await seen(2);
    const limit = limits.at(-1);
    expect(limit?.ms).toBe(CALL_LIMIT_MS);
    limit?.control.abort(new DOMException('too late', 'TimeoutError'));
    await late;
    // Both requests are ended too.
    const signals = vi
      .mocked(fetch)
      .mock.calls.flatMap(([input, init]) => (String(input).includes(path) ? [init?.signal] : []));
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  },
);

import { expect, test, vi } from 'vitest';
import { supabase } from '../../platform/supabase.ts';
import { CALL_LIMIT_MS } from '../../platform/time-limit.ts';
import { fetchOutcomes, fetchPredictions, PREDICTIONS_FAILED } from './predictions-api.ts';
import { aKnownOutcome, aVoidOutcome } from './predictions-test-data.ts';

vi.mock('../../platform/supabase.ts', () => ({ supabase: vi.fn() }));

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

/** A client that records the calls of one select and answers with `answer`. */
function aClient(answer: unknown): [string, unknown[]][] {
  const calls: [string, unknown[]][] = [];
  const step: object = new Proxy(
    {},
    {
      get: (_target, name: string) => {
        if (name === 'then') return undefined;
        return (...args: unknown[]) => {
          calls.push([name, args]);
          return name === 'abortSignal' ? Promise.resolve(answer) : step;
        };
      },
    },
  );
  vi.mocked(supabase).mockResolvedValue(step as Awaited<ReturnType<typeof supabase>>);
  return calls;
}

test('reads one page of the own rows, newest first, with the exact count', async () => {
  const calls = aClient({ data: [ROW, { id: 7 }], error: null, count: 9 });

  const page = await fetchPredictions('u1', 8, 4, never);

  expect(page).toEqual({ rows: [ROW], total: 9 });
  expect(calls).toEqual([
    ['from', ['user_predictions']],
    ['select', ['*', { count: 'exact' }]],
    ['eq', ['user_id', 'u1']],
    ['order', ['created_at', { ascending: false }]],
    ['retry', [false]],
    ['range', [8, 11]],
    ['abortSignal', [expect.any(AbortSignal)]],
  ]);
});

test('outcomes are asked for by the predictions that are shown; what is none is left out', async () => {
  const outcomes = [aKnownOutcome('p1'), aVoidOutcome('p2', 'candles-gone')];
  const calls = aClient({ data: [...outcomes, { ...outcomes[0], candles: [] }, { state: 'lost' }], error: null });

  expect(await fetchOutcomes(['p1', 'p2'], never)).toEqual(outcomes);
  expect(calls.at(-2)).toEqual(['in', ['prediction_id', ['p1', 'p2']]]);
});

test('many are asked for in several calls, because their ids stand in the address', async () => {
  const calls = aClient({ data: [], error: null });

  await fetchOutcomes(
    Array.from({ length: 120 }, (_, i) => `p${i}`),
    never,
  );

  const asked = calls.filter(([name]) => name === 'in').map(([, args]) => (args[1] as string[]).length);
  expect(asked).toEqual([50, 50, 20]);
});

test.each([
  ['a refusal in the server’s words', { code: '57014', message: 'canceling statement' }, 'canceling statement'],
  ['no answer in ours, not the browser’s', { code: '', message: 'TypeError: Failed to fetch' }, PREDICTIONS_FAILED],
  ['a refusal without words in ours', { code: 'XX000', message: '' }, PREDICTIONS_FAILED],
])('%s is told', async (_what, error, words) => {
  aClient({ data: null, error, count: null });

  await expect(fetchPredictions('u1', 0, 4, never)).rejects.toThrow(new Error(words));
});

test.each([
  ['predictions', (signal: AbortSignal) => fetchPredictions('u1', 0, 4, signal)],
  ['outcomes', (signal: AbortSignal) => fetchOutcomes(['p1'], signal)],
])(
  'a call for %s that is never answered fails after 15 seconds, and at once for whoever has left',
  async (_what, call) => {
    vi.useFakeTimers();
    const limit = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      setTimeout(() => limit.abort(new DOMException('too late', 'TimeoutError')), ms);
      return limit.signal;
    });
    aClient(new Promise(() => undefined));
    const leaving = new AbortController();

    const left = expect(call(leaving.signal)).rejects.toThrow('left');
    leaving.abort(new Error('left'));
    await left;
    const late = expect(call(never)).rejects.toThrow(/^Failed to load/);
    await vi.advanceTimersByTimeAsync(CALL_LIMIT_MS);
    await late;
    vi.useRealTimers();
  },
);

import { expect, test, vi } from 'vitest';
import { supabase } from '../../platform/supabase.ts';
import { fetchPredictions } from './predictions-api.ts';

vi.mock('../../platform/supabase.ts', () => ({ supabase: vi.fn() }));

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
          return name === 'range' ? Promise.resolve(answer) : step;
        };
      },
    },
  );
  vi.mocked(supabase).mockResolvedValue(step as Awaited<ReturnType<typeof supabase>>);
  return calls;
}

test('reads one page of the own rows, newest first, with the exact count', async () => {
  const calls = aClient({ data: [ROW, { id: 7 }], error: null, count: 9 });

  const page = await fetchPredictions('u1', 2, 4);

  expect(page).toEqual({ rows: [ROW], total: 9 });
  expect(calls).toEqual([
    ['from', ['user_predictions']],
    ['select', ['*', { count: 'exact' }]],
    ['eq', ['user_id', 'u1']],
    ['order', ['created_at', { ascending: false }]],
    ['range', [8, 11]],
  ]);
});

test.each([
  ['canceling statement', 'canceling statement'],
  ['', 'Failed to load predictions'],
])('an error says %j', async (message, told) => {
  aClient({ data: null, error: { message }, count: null });

  await expect(fetchPredictions('u1', 0, 2)).rejects.toThrow(told);
});

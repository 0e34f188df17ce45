import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callBudget } from './call-budget.ts';
import type { CallStore } from './call-store.ts';

const HOUR_MS = 3_600_000;
const TEN_MINUTES_MS = 600_000;
const START_MS = Date.parse('2026-11-01T00:00:00Z');
const monthOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 7);

/** The table of calls, as the database stores it. */
function callsInMemory() {
  const byMonth = new Map<string, number>();
  const store: CallStore = {
    async spend(_feed, monthIso, allowance) {
      const calls = byMonth.get(monthIso) ?? 0;
      if (calls >= allowance) return false;
      byMonth.set(monthIso, calls + 1);
      return true;
    },
    callsOf: async (_feed, monthIso) => byMonth.get(monthIso) ?? 0,
  };
  return { byMonth, store };
}

function setUp(callsPerMonth: number, callsPerRound = 2) {
  const time = { ms: START_MS };
  const { byMonth, store } = callsInMemory();
  const clock = { nowMs: () => time.ms };
  const open = () => callBudget({ feed: 'f', callsPerMonth, callsPerRound, calls: store, clock });
  return { time, byMonth, open };
}

test('never exceeds the monthly allowance, whatever restarts and retries happen', async () => {
  const step = fc.record({
    waitMs: fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 40 * HOUR_MS })),
    tries: fc.integer({ min: 1, max: 6 }),
    restarts: fc.boolean(),
    isPatient: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.array(step, { minLength: 20, maxLength: 100 }),
      async (allowance, steps) => {
        const { time, open } = setUp(allowance);
        const byMonth = new Map<string, number>();
        let budget = open();
        for (const { waitMs, tries, restarts, isPatient } of steps) {
          if (restarts) budget = open();
          time.ms += isPatient ? await budget.nextInMs(TEN_MINUTES_MS) : waitMs;
          for (let i = 0; i < tries; i++) {
            const isAllowed = await budget.spend().then(
              () => true,
              () => false,
            );
            if (isAllowed) byMonth.set(monthOf(time.ms), (byMonth.get(monthOf(time.ms)) ?? 0) + 1);
          }
        }
        for (const calls of byMonth.values()) expect(calls).toBeLessThanOrEqual(allowance);
      },
    ),
    { numRuns: 200 },
  );
});

test('never refuses a caller that keeps the pace, nor leaves it waiting for long', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 200, max: 3000 }),
      fc.integer({ min: 0, max: 25 * 24 }),
      async (callsPerMonth, startHours) => {
        const { time, open } = setUp(callsPerMonth);
        time.ms += startHours * HOUR_MS;
        const budget = open();
        const month = monthOf(time.ms);
        let longestMs = 0;
        while (monthOf(time.ms) === month) {
          await budget.spend();
          await budget.spend();
          const waitMs = await budget.nextInMs(TEN_MINUTES_MS);
          longestMs = Math.max(longestMs, waitMs);
          time.ms += waitMs;
        }
        expect(longestMs).toBeLessThan(10 * HOUR_MS);
      },
    ),
    { numRuns: 25 },
  );
});

test('allows both requests of a demo key every ten minutes all month', async () => {
  const { time, byMonth, open } = setUp(10_000);
  time.ms = Date.parse('2026-12-01T00:00:00Z');
  const budget = open();
  while (monthOf(time.ms) === '2026-12') {
    await budget.spend();
    await budget.spend();
    const waitMs = await budget.nextInMs(TEN_MINUTES_MS);
    expect(waitMs).toBe(TEN_MINUTES_MS);
    time.ms += waitMs;
  }

  expect(byMonth.get('2026-12-01')).toBe(8928);
});

test('plans one free retry per period when the allowance is spent, and renews it monthly', async () => {
  const { time, byMonth, open } = setUp(4);
  const budget = open();
  time.ms = Date.parse('2026-11-10T00:00:00Z');
  for (let i = 0; i < 3; i++) await budget.spend();

  const refusal = await budget.spend().catch((error: unknown) => error);

  expect(refusal).toMatchObject({ code: 'venue/unavailable', details: { reason: 'monthly allowance spent' } });
  expect(refusal).not.toHaveProperty('details.retryAfterS');
  expect(await budget.nextInMs(TEN_MINUTES_MS)).toBe(TEN_MINUTES_MS);
  expect(byMonth.get('2026-11-01')).toBe(3);
  time.ms = Date.parse('2026-12-01T00:00:00Z');
  await budget.spend();
});

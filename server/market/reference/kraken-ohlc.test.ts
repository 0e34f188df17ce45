/** Tests the answer when Kraken refuses or has no bars: Kraken's own messages, and no error where there is none. */
import { expect, test } from 'vitest';
import { createLogger } from '../../platform/telemetry/log.ts';
import { krakenOhlcRoutes } from './kraken-ohlc.ts';

const time = Date.UTC(2026, 10, 19);
const WEEK = { error: [], result: { XXBTZUSD: [[time / 1000, '2', '3', '1', '2', '2', '5', 7]], last: time / 1000 } };

/** Kraken returns these answers in turn, and repeats the last. */
function openRoutes(...answers: unknown[]) {
  const passed = { ms: 0 };
  let requested = 0;
  const app = krakenOhlcRoutes({
    restUrl: 'https://kraken.invalid',
    origin: { kind: 'live', attribution: 'Kraken' },
    clock: { nowMs: () => time + passed.ms },
    log: createLogger('silent'),
    monotonicMs: () => passed.ms,
    async wait(ms) {
      passed.ms += ms;
    },
    fetch: async () => Response.json(answers[Math.min(requested++, answers.length - 1)]),
  });
  const request = async (interval: number) => {
    const response = await app.request(`/0/public/OHLC?pair=XBTUSD&interval=${interval}`);
    expect(response.status).toBe(200);
    return response;
  };
  return { request, passed, calls: () => requested };
}

const refusal = (...error: string[]) => ({ error, result: {} });

test.each([
  [10_080, ['EService:Busy']],
  [43_200, ['EService:Busy']],
  [10_080, ['EAPI:Rate limit exceeded', 'EGeneral:Temporary lockout']],
])('forwards Kraken’s message when it refuses bars of %i minutes: %j', async (interval, messages) => {
  const { request } = openRoutes(refusal(...messages));

  const response = await request(interval);

  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual(refusal(...messages));
});

test.each([
  ['EGeneral:Too many requests', 10],
  ['EGeneral:Temporary lockout', 600],
])('makes no call for a while after Kraken’s refusal %s', async (message, seconds) => {
  const { request, passed, calls } = openRoutes(refusal(message));
  const requestFrom = async (passedS: number) => {
    passed.ms = passedS * 1000;
    expect(await (await request(10_080)).json()).toEqual(refusal(message));
    return calls();
  };

  expect([await requestFrom(0), await requestFrom(seconds - 1), await requestFrom(seconds + 60)]).toEqual([1, 1, 2]);
});

test('still forwards that message while calls are held back', async () => {
  const { request, passed } = openRoutes(refusal('EService:Busy'));
  for (let i = 0; i < 8; i++) {
    await request(10_080);
    passed.ms += 11_000;
  }

  expect(await (await request(1440)).json()).toEqual(refusal('EService:Busy'));
});

test.each([
  ['not in the form of an error', refusal('<script>alert(1)</script>')],
  ['longer than any of its errors', refusal(`EService:${'x'.repeat(500)}`)],
  ['not an OHLC response', ['EService:Busy']],
  ['rows without one good bar', { error: [], result: { XXBTZUSD: [null], last: 0 } }],
])('reports the service as unavailable for an answer that is %s', async (_what, answer) => {
  const { request } = openRoutes(answer);

  expect(await (await request(10_080)).json()).toEqual(refusal('EService:Unavailable'));
});

test.each([
  [10_080, { error: [], result: { XXBTZUSD: [], last: 0 } }],
  [43_200, { error: [], result: { XXBTZUSD: [], last: 0 } }],
  [10_080, { error: [], result: {} }],
])('returns no bars of %i minutes and no error when Kraken has none: %j', async (interval, answer) => {
  const { request } = openRoutes(answer);

  const response = await request(interval);

  expect(response.headers.get('x-market-stale')).toBe('false');
  expect(await response.json()).toEqual({ error: [], result: { XXBTZUSD: [], last: 0 } });
});

test('keeps the last bars while Kraken refuses', async () => {
  const { request, passed } = openRoutes(WEEK, refusal('EService:Busy'));
  await request(10_080);
  passed.ms += 61_000;

  const response = await request(10_080);

  expect(response.headers.get('x-market-stale')).toBe('true');
  expect(await response.json()).toEqual(WEEK);
});

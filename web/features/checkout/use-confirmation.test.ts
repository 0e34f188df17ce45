/** The messages after a purchase, and how long its state is polled. */
import { expect, test, vi } from 'vitest';
import type { Confirmed, Refused } from './checkout-api.ts';
import { confirmPurchase, LEAST_WAIT_MS } from './use-confirmation.ts';

const ROW = { price_id: 'p', status: 'active', cancel_at_period_end: false, current_period_end: 1 };
const PAID: Confirmed = { status: 'complete', plan: 'lion', subscription: ROW };
const NOT_THERE: Confirmed = { status: 'complete', plan: 'free', subscription: { ...ROW, status: null } };
const away = () => new Error('The payment service does not answer.');

/** Answers in turn, the last one for ever. Waiting takes no time, and is counted. */
function ports(...answers: (Confirmed | Refused | Error)[]) {
  const waits: number[] = [];
  let calls = 0;
  const confirm = vi.fn(async () => {
    const answer = answers[Math.min(calls++, answers.length - 1)];
    if (answer === undefined || answer instanceof Error) throw answer;
    return answer;
  });
  const wait = async (ms: number) => void waits.push(ms);
  return { confirm, wait, report: vi.fn(), waits };
}

test('a purchase that is there at once is told after two seconds, and asked for once', async () => {
  const world = ports(PAID);

  expect(await confirmPurchase(world)).toEqual({ kind: 'paid', plan: 'lion', row: ROW });
  expect(world.confirm).toHaveBeenCalledOnce();
  expect(world.waits).toEqual([LEAST_WAIT_MS]);
});

test('a plan that is late is waited for', async () => {
  const world = ports(NOT_THERE, NOT_THERE, PAID);

  expect(await confirmPurchase(world)).toMatchObject({ kind: 'paid' });
  expect(world.waits).toEqual([LEAST_WAIT_MS, 800, 1000]);
});

test('a paid plan that never comes is not called failed', async () => {
  const world = ports(NOT_THERE);

  expect(await confirmPurchase(world)).toEqual({ kind: 'late' });
  expect(world.confirm).toHaveBeenCalledTimes(20);
  expect(Math.max(...world.waits)).toBe(4000);
});

test.each([
  ['open', { ...NOT_THERE, status: 'open' }, 'open'],
  ['expired', { ...NOT_THERE, status: 'expired' }, 'expired'],
  ['ended since', { ...NOT_THERE, subscription: { ...ROW, status: 'canceled' } }, 'over'],
] as const)('a checkout that is %s is told at once', async (_what, answer, kind) => {
  const world = ports(answer);

  expect(await confirmPurchase(world)).toEqual({ kind });
  expect(world.confirm).toHaveBeenCalledOnce();
});

test('a refusal is told at once, in the server’s words', async () => {
  const world = ports({ status: 'refused', message: 'We couldn’t find this payment.' });

  expect(await confirmPurchase(world)).toEqual({ kind: 'refused', message: 'We couldn’t find this payment.' });
  expect(world.confirm).toHaveBeenCalledOnce();
});

test('what breaks is passed over when it answers again', async () => {
  const world = ports(away(), new TypeError('no JSON'), PAID);

  expect(await confirmPurchase(world)).toMatchObject({ kind: 'paid' });
  expect(world.report).toHaveBeenCalledTimes(2);
});

test('a server that does not come back is told after ten seconds, and nothing is called failed', async () => {
  const world = ports(away());

  expect(await confirmPurchase(world)).toEqual({ kind: 'unreachable' });
  expect(world.confirm).toHaveBeenCalledTimes(6);
  expect(world.waits.reduce((sum, ms) => sum + ms, 0) - LEAST_WAIT_MS).toBeLessThan(10_000);
});

/** The messages after a purchase, and how long its state is polled. */
import { expect, test, vi } from 'vitest';
import type { Confirmed, Refused } from './checkout-api.ts';
import { confirmPurchase, LEAST_WAIT_MS } from './use-confirmation.ts';

const ROW = { price_id: 'p', status: 'active', cancel_at_period_end: false, current_period_end: 1 };
const PAID: Confirmed = { status: 'complete', plan: 'lion', subscription: ROW };
const NOT_THERE: Confirmed = { status: 'complete', plan: 'free', subscription: { ...ROW, status: null } };
const away = () => new Error('The payment provider does not answer.');

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

test('shows a purchase that is there immediately after two seconds, and requests it once', async () => {
  const world = ports(PAID);

  expect(await confirmPurchase(world)).toEqual({ kind: 'paid', plan: 'lion', row: ROW });
  expect(world.confirm).toHaveBeenCalledOnce();
  expect(world.waits).toEqual([LEAST_WAIT_MS]);
});

test('waits for a plan that is late', async () => {
  const world = ports(NOT_THERE, NOT_THERE, PAID);

  expect(await confirmPurchase(world)).toMatchObject({ kind: 'paid' });
  expect(world.waits).toEqual([LEAST_WAIT_MS, 800, 1000]);
});

test('does not call a paid plan failed that never arrives', async () => {
  const world = ports(NOT_THERE);

  expect(await confirmPurchase(world)).toEqual({ kind: 'late' });
  expect(world.confirm).toHaveBeenCalledTimes(20);
  expect(Math.max(...world.waits)).toBe(4000);
});

test.each([
  ['open', { ...NOT_THERE, status: 'open' }, 'open'],
  ['expired', { ...NOT_THERE, status: 'expired' }, 'expired'],
  ['ended since', { ...NOT_THERE, subscription: { ...ROW, status: 'canceled' } }, 'over'],
] as const)('reports a checkout that is %s immediately', async (_what, answer, kind) => {
  const world = ports(answer);

  expect(await confirmPurchase(world)).toEqual({ kind });
  expect(world.confirm).toHaveBeenCalledOnce();
});

test('reports a refusal immediately, with the server’s message', async () => {
  const world = ports({ status: 'refused', message: 'We couldn’t find this payment.' });

  expect(await confirmPurchase(world)).toEqual({ kind: 'refused', message: 'We couldn’t find this payment.' });
  expect(world.confirm).toHaveBeenCalledOnce();
});

test('ignores a failed call when the next one is answered', async () => {
  const world = ports(away(), new TypeError('no JSON'), PAID);

  expect(await confirmPurchase(world)).toMatchObject({ kind: 'paid' });
  expect(world.report).toHaveBeenCalledTimes(2);
});

test('reports a server that does not return after ten seconds, and calls nothing failed', async () => {
  const world = ports(away());

  expect(await confirmPurchase(world)).toEqual({ kind: 'unreachable' });
  expect(world.confirm).toHaveBeenCalledTimes(6);
  expect(world.waits.reduce((sum, ms) => sum + ms, 0) - LEAST_WAIT_MS).toBeLessThan(10_000);
});

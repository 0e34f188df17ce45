/** A subscription's state against what its owner was told: each difference is told once. */
import { expect, test } from 'vitest';
import type { LockedSubscription, Told } from './notice-store.ts';
import { newsOf } from './subscription-changes.ts';

const SUB = 'sub_1';

function aSubscription(changes: Partial<LockedSubscription> = {}): LockedSubscription {
  return { status: 'active', priceId: 'bobcat', cancelAtPeriodEnd: false, pendingPriceId: null, ...changes };
}

/** Looks at each state in turn, remembering what was told. @returns what was mailed at each look */
function tell(...states: LockedSubscription[]): string[][] {
  const told: Told[] = [];
  return states.map((state) => {
    const news = newsOf(SUB, state, told);
    for (const one of news) {
      expect(told.some(({ kind, subjectId }) => kind === one.kind && subjectId === one.subjectId)).toBe(false);
      told.push(one);
    }
    return news.filter(({ isWorthAMail }) => isWorthAMail).map(({ kind }) => kind);
  });
}

const plain = aSubscription();
const ending = aSubscription({ cancelAtPeriodEnd: true });
const lion = aSubscription({ priceId: 'lion' });
const stepsDown = aSubscription({ priceId: 'lion', pendingPriceId: 'bobcat' });

test('a new subscription is no news beside its receipt, however often it is looked at', () => {
  expect(tell(plain, plain, plain)).toEqual([[], [], []]);
});

test('an attempt to subscribe is nothing until it is paid', () => {
  const attempt = aSubscription({ status: 'incomplete' });

  expect(newsOf(SUB, attempt, [])).toEqual([]);
  expect(newsOf(SUB, aSubscription({ status: 'incomplete_expired' }), [])).toEqual([]);
  expect(newsOf(SUB, plain, [])).toMatchObject([{ kind: 'first_seen', isWorthAMail: false }]);
});

test('a cancellation, its undoing and a second cancellation are told once each', () => {
  expect(tell(plain, ending, ending, plain, plain, ending, ending)).toEqual([
    [],
    ['cancellation_scheduled'],
    [],
    ['cancellation_undone'],
    [],
    ['cancellation_scheduled'],
    [],
  ]);
});

test('a cancellation that was undone before anybody looked is not told', () => {
  expect(tell(plain, plain)).toEqual([[], []]);
});

test('a cancellation at first sight is told: it was made after the purchase', () => {
  expect(tell(ending)).toEqual([['cancellation_scheduled']]);
});

test('an upgrade, and the same upgrade again after the way back, are told once each', () => {
  expect(tell(plain, lion, lion, plain, lion)).toEqual([[], ['plan_changed'], [], ['plan_changed'], ['plan_changed']]);
});

test('a downgrade is told when it is scheduled and when it takes effect, and not as undone', () => {
  expect(tell(lion, stepsDown, stepsDown, plain, plain)).toEqual([
    [],
    ['downgrade_scheduled'],
    [],
    ['plan_changed'],
    [],
  ]);
});

test('a downgrade that was undone is told, and a new one after it', () => {
  expect(tell(lion, stepsDown, lion, lion, stepsDown)).toEqual([
    [],
    ['downgrade_scheduled'],
    ['downgrade_undone'],
    [],
    ['downgrade_scheduled'],
  ]);
});

test('a cancellation in the place of a downgrade is told alone', () => {
  const lionEnding = aSubscription({ priceId: 'lion', cancelAtPeriodEnd: true });

  expect(tell(lion, stepsDown, lionEnding, lionEnding)).toEqual([
    [],
    ['downgrade_scheduled'],
    ['cancellation_scheduled'],
    [],
  ]);
});

test('the end is told once', () => {
  const over = aSubscription({ status: 'canceled', cancelAtPeriodEnd: true });

  expect(tell(plain, ending, over, over)).toEqual([[], ['cancellation_scheduled'], ['subscription_ended'], []]);
});

test('what was over when it was first seen is not told, then or later', () => {
  const over = aSubscription({ status: 'canceled' });

  expect(tell(over, over)).toEqual([[], []]);
});

test('a failed renewal changes nothing of the plan', () => {
  expect(tell(plain, aSubscription({ status: 'past_due' }), plain)).toEqual([[], [], []]);
});

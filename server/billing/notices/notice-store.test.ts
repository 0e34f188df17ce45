/** Compares a subscription's state with what its owner was notified of: each change is reported once. */
import { expect, test } from 'vitest';
import { findDueNotices, type LockedSubscription, type SentNotice } from './notice-store.ts';

const SUB = 'sub_1';

function aSubscription(changes: Partial<LockedSubscription> = {}): LockedSubscription {
  return { status: 'active', priceId: 'bobcat', cancelAtPeriodEnd: false, pendingPriceId: null, ...changes };
}

/** Syncs each state in turn and remembers the notices. @returns the kinds emailed at each sync */
function sentAfter(...states: LockedSubscription[]): string[][] {
  const sent: SentNotice[] = [];
  return states.map((state) => {
    const due = findDueNotices(SUB, state, sent);
    for (const one of due) {
      expect(sent.some(({ kind, subjectId }) => kind === one.kind && subjectId === one.subjectId)).toBe(false);
      sent.push(one);
    }
    return due.filter(({ isMailed }) => isMailed).map(({ kind }) => kind);
  });
}

const plain = aSubscription();
const ending = aSubscription({ cancelAtPeriodEnd: true });
const lion = aSubscription({ priceId: 'lion' });
const stepsDown = aSubscription({ priceId: 'lion', pendingPriceId: 'bobcat' });

test('sends no notice for a new subscription, which has a receipt', () => {
  expect(sentAfter(plain, plain, plain)).toEqual([[], [], []]);
});

test('records an attempt to subscribe only once it is paid', () => {
  const attempt = aSubscription({ status: 'incomplete' });

  expect(findDueNotices(SUB, attempt, [])).toEqual([]);
  expect(findDueNotices(SUB, aSubscription({ status: 'incomplete_expired' }), [])).toEqual([]);
  expect(findDueNotices(SUB, plain, [])).toMatchObject([{ kind: 'first_seen', isMailed: false }]);
});

test('sends one notice each for a cancellation, its undoing and a second cancellation', () => {
  expect(sentAfter(plain, ending, ending, plain, plain, ending, ending)).toEqual([
    [],
    ['cancellation_scheduled'],
    [],
    ['cancellation_undone'],
    [],
    ['cancellation_scheduled'],
    [],
  ]);
});

test('sends no notice for a cancellation undone before the next sync', () => {
  expect(sentAfter(plain, plain)).toEqual([[], []]);
});

test('sends a notice for a cancellation found at the first sync', () => {
  expect(sentAfter(ending)).toEqual([['cancellation_scheduled']]);
});

test('sends one notice for each plan change, including a repeated upgrade', () => {
  expect(sentAfter(plain, lion, lion, plain, lion)).toEqual([
    [],
    ['plan_changed'],
    [],
    ['plan_changed'],
    ['plan_changed'],
  ]);
});

test('sends notices when a downgrade is scheduled and takes effect, and none that it was undone', () => {
  expect(sentAfter(lion, stepsDown, stepsDown, plain, plain)).toEqual([
    [],
    ['downgrade_scheduled'],
    [],
    ['plan_changed'],
    [],
  ]);
});

test('sends notices for an undone downgrade and for a new one after it', () => {
  expect(sentAfter(lion, stepsDown, lion, lion, stepsDown)).toEqual([
    [],
    ['downgrade_scheduled'],
    ['downgrade_undone'],
    [],
    ['downgrade_scheduled'],
  ]);
});

test('sends only the cancellation notice when it replaces a downgrade', () => {
  const lionEnding = aSubscription({ priceId: 'lion', cancelAtPeriodEnd: true });

  expect(sentAfter(lion, stepsDown, lionEnding, lionEnding)).toEqual([
    [],
    ['downgrade_scheduled'],
    ['cancellation_scheduled'],
    [],
  ]);
});

test('sends one notice for the end of a subscription', () => {
  const over = aSubscription({ status: 'canceled', cancelAtPeriodEnd: true });

  expect(sentAfter(plain, ending, over, over)).toEqual([[], ['cancellation_scheduled'], ['subscription_ended'], []]);
});

test('sends no notice for a subscription that had ended before the first sync', () => {
  const over = aSubscription({ status: 'canceled' });

  expect(sentAfter(over, over)).toEqual([[], []]);
});

test('sends no plan notice for a failed renewal', () => {
  expect(sentAfter(plain, aSubscription({ status: 'past_due' }), plain)).toEqual([[], [], []]);
});

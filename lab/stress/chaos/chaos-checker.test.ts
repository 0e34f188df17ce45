/** The checker of `npm run lab -- chaos` accepts histories that a correct site can produce, and rejects all others. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkHistory } from './checker/check-history.ts';
import { findContradiction, type Model } from './checker/linearise.ts';
import {
  type CallAnswer,
  type CallRequest,
  type HistoryEvent,
  historyText,
  type Outcome,
  readHistory,
  type SavedRow,
  type Sighting,
} from './history/history.ts';
import { startRecorder } from './history/recorder.ts';

interface CallTimes {
  user?: string;
  from: number;
  /** Absent: never answered. */
  to?: number;
  outcome?: Outcome;
  answer?: CallAnswer;
  note?: string;
}

type TimedCall = [CallRequest, CallTimes];

function history(...calls: readonly TimedCall[]): HistoryEvent[] {
  const all = calls.flatMap(([call, { user = 'ada', from, to, outcome = 'ok', answer = {}, note = '' }], at) => {
    const events: HistoryEvent[] = [{ atMs: from, type: 'invoke', id: at, user, call }];
    if (to !== undefined) events.push({ atMs: to, type: 'return', id: at, outcome, answer, note });
    return events;
  });
  return all.sort((a, b) => a.atMs - b.atMs);
}

const saw = (...seen: readonly Sighting[]): HistoryEvent[] =>
  seen.map((one, atMs) => ({ atMs: 1000 + atMs, type: 'seen', seen: one }));
type Ledger = Extract<Sighting, { kind: 'ledger' }>;
const check = (events: readonly HistoryEvent[]) => checkHistory(events, { quota: { monthly: 3, daily: 2 } });

const vote = (direction: 'up' | 'down'): CallRequest => ({ kind: 'vote', direction });
const readVote = { kind: 'read-vote' } as const;
const stream = { kind: 'stream', forecast: 'lion BTC' } as const;
const readQuota = { kind: 'read-quota' } as const;
const reserved = (reservationId: string, t0: number) => ({ reservationId, t0 });
const pay = { kind: 'pay', plan: 'lion', amountCents: 6999 } as const;
const readPlan = { kind: 'read-plan' } as const;

describe('votes', () => {
  test('accepts a vote that is read back, and a refused second one', () => {
    expect(
      check(
        history(
          [readVote, { from: 0, to: 1, answer: { direction: null } }],
          [vote('up'), { from: 2, to: 5 }],
          [readVote, { from: 3, to: 4, answer: { direction: null } }],
          [vote('down'), { from: 6, to: 7, outcome: 'refused', note: '429 TOO_SOON' }],
          [readVote, { from: 8, to: 9, answer: { direction: 'up' } }],
        ),
      ),
    ).toEqual([]);
  });

  test.each<[string, ...TimedCall[]]>([
    ['a lost vote', [vote('up'), { from: 0, to: 1 }], [readVote, { from: 2, to: 3, answer: { direction: null } }]],
    [
      'a vote that turns around',
      [vote('up'), { from: 0, to: 1 }],
      [readVote, { from: 2, to: 3, answer: { direction: 'down' } }],
    ],
    ['a second vote', [vote('up'), { from: 0, to: 1 }], [vote('down'), { from: 2, to: 3 }]],
    [
      'a refusal without a vote',
      [readVote, { from: 2, to: 3, answer: { direction: null } }],
      [vote('up'), { from: 0, to: 1, outcome: 'refused', note: '429 TOO_SOON' }],
    ],
    [
      'a vote that comes and goes',
      [vote('up'), { from: 0 }],
      [readVote, { from: 2, to: 3, answer: { direction: 'up' } }],
      [readVote, { from: 4, to: 5, answer: { direction: null } }],
    ],
  ])('rejects %s', (_what, ...calls) => {
    expect(check(history(...calls))).toEqual([expect.stringMatching(/^the vote of ada: no order/)]);
  });

  test('rejects totals other than the users’ votes', () => {
    const events = history(
      [vote('up'), { from: 0, to: 1 }],
      [readVote, { from: 2, to: 3, answer: { direction: 'up' } }],
    );

    expect(check([...events, ...saw({ kind: 'vote-totals', up: 1, down: 0 })])).toEqual([]);
    expect(check([...events, ...saw({ kind: 'vote-totals', up: 2, down: 0 })])).toHaveLength(1);
  });
});

test('rejects an error that the site did not expect', () => {
  expect(check(history([vote('up'), { from: 0, to: 1, outcome: 'maybe', note: '500 Something went wrong' }]))).toEqual([
    'ada: vote was answered with an unexpected error: 500 Something went wrong',
  ]);
  expect(check(history([vote('up'), { from: 0, to: 1, outcome: 'maybe', note: '503 Please try again.' }]))).toEqual([]);
});

describe('quota', () => {
  test.each<[string, ...TimedCall[]]>([
    [
      'a unit that was not taken',
      [stream, { from: 0, to: 1, answer: reserved('a', 60) }],
      [readQuota, { from: 2, to: 3, answer: { remaining: 3 } }],
    ],
    [
      'two units for one stream',
      [stream, { from: 0, to: 1, answer: reserved('a', 60) }],
      [readQuota, { from: 2, to: 3, answer: { remaining: 1 } }],
    ],
    [
      'three units for two streams',
      [stream, { from: 0 }],
      [stream, { from: 2, to: 3, answer: reserved('a', 60) }],
      [readQuota, { from: 4, to: 5, answer: { remaining: 0 } }],
    ],
    ['a refusal with units left', [stream, { from: 0, to: 1, outcome: 'refused', note: '429 quota/monthly-spent' }]],
    [
      'a refusal with units of the day left',
      [stream, { from: 0, to: 1, outcome: 'refused', note: '403 quota/daily-spent' }],
    ],
  ])('rejects %s', (_what, ...calls) => {
    expect(check(history(...calls))).toEqual([expect.stringMatching(/^the quota of ada: no order/)]);
  });

  test('rejects a second reservation of the same minute', () => {
    const events = history(
      [stream, { from: 0, to: 1, answer: reserved('a', 60) }],
      [stream, { from: 2, to: 3, answer: reserved('b', 60) }],
    );

    expect(check(events)).toContain('ada lion BTC 60 was reserved twice: a and b');
  });
});

describe('saved predictions', () => {
  const save = { kind: 'save', reservationId: 'a' } as const;
  const readSaved = { kind: 'read-saved' } as const;
  const row = { id: 'row', forecast: 'lion BTC', t0: 60, digest: 'x' };
  const streamed: TimedCall = [stream, { from: 0, to: 1, answer: reserved('a', 60) }];
  const seen = saw({ kind: 'forecast', user: 'ada', reservationId: 'a', digest: 'x' });

  test.each<[string, string, TimedCall, SavedRow[]]>([
    ['a lost row', 'is lost', [save, { from: 2, to: 3, answer: { rowId: 'row' } }], []],
    ['two rows', '2 times', [save, { from: 2, to: 3, answer: { rowId: 'row' } }], [row, { ...row, id: 'second' }]],
    ['other candles', 'other candles', [save, { from: 2, to: 3, answer: { rowId: 'row' } }], [{ ...row, digest: 'y' }]],
    ['a row without a reservation', 'no one reserved', [save, { from: 2 }], [{ ...row, t0: 120 }]],
  ])('rejects %s', (_what, text, saved, rows) => {
    const events = history(streamed, saved, [readSaved, { from: 6, to: 7, answer: { rows: [...rows] } }]);

    expect(check([...events, ...seen])).toContainEqual(expect.stringContaining(text));
  });

  test('rejects a row that no one saved, and another row for the same reservation', () => {
    expect(check(history(streamed, [readSaved, { from: 6, to: 7, answer: { rows: [row] } }]))).toEqual([
      'ada has a saved without saving it',
    ]);
    expect(
      check(
        history(
          streamed,
          [save, { from: 2, to: 3, answer: { rowId: 'row' } }],
          [save, { from: 4, to: 5, answer: { rowId: 'second' } }],
        ),
      ),
    ).toEqual(['ada saved a as row and as second']);
  });
});

describe('plans and money', () => {
  const bought = { subscriptionId: 'sub', isEnding: false };
  const ledger: Ledger = {
    kind: 'ledger',
    user: 'ada',
    customers: 1,
    paidCents: [6999],
    subscriptions: [{ id: 'sub', status: 'active', isEnding: false }],
  };

  test('accepts a payment that arrives late, and changes that are read back', () => {
    expect(
      check([
        ...history(
          [pay, { from: 0, to: 1 }],
          [readPlan, { from: 2, to: 3, answer: { subscriptionId: null } }],
          [{ kind: 'confirm' }, { from: 4, to: 5 }],
          [readPlan, { from: 6, to: 7, answer: bought }],
          [{ kind: 'cancel' }, { from: 8, to: 9 }],
          [readPlan, { from: 10, to: 11, answer: { ...bought, isEnding: true } }],
          [{ kind: 'resume' }, { from: 12 }],
          [readPlan, { from: 14, to: 15, answer: { ...bought, isEnding: true } }],
          [readPlan, { from: 16, to: 17, answer: bought }],
        ),
        ...saw(ledger),
      ]),
    ).toEqual([]);
  });

  test('rejects a cancellation that an old event undoes', () => {
    expect(
      check(
        history(
          [pay, { from: 0, to: 1 }],
          [{ kind: 'cancel' }, { from: 2, to: 3 }],
          [readPlan, { from: 4, to: 5, answer: { ...bought, isEnding: true } }],
          [readPlan, { from: 6, to: 7, answer: bought }],
        ),
      ),
    ).toEqual([expect.stringMatching(/^the plan of ada: no order/)]);
  });

  test.each<[string, Partial<Ledger>]>([
    ['two customers', { customers: 2 }],
    ['two charges', { paidCents: [6999, 6999] }],
    ['no charge', { paidCents: [] }],
    ['another amount', { paidCents: [2999] }],
    ['a plan that ends at the provider alone', { subscriptions: [{ id: 'sub', status: 'active', isEnding: true }] }],
    ['money without a plan', { subscriptions: [] }],
  ])('rejects %s', (_what, change) => {
    const events = history([pay, { from: 0, to: 1 }], [readPlan, { from: 2, to: 3, answer: bought }]);

    expect(check([...events, ...saw(ledger)])).toEqual([]);
    expect(check([...events, ...saw({ ...ledger, ...change })])).not.toEqual([]);
  });

  test('rejects a charge for a payment that was refused', () => {
    expect(check([...history([pay, { from: 0, to: 1, outcome: 'refused' }]), ...saw(ledger)])).not.toEqual([]);
  });
});

describe('posts, likes and accounts', () => {
  const post = { kind: 'post', text: 'News' } as const;
  const readPosts = { kind: 'read-posts' } as const;

  test('rejects a post that is there twice, and a deleted one that comes back', () => {
    const posted: TimedCall = [post, { from: 0, to: 1 }];
    const twice: TimedCall = [readPosts, { from: 2, to: 3, answer: { texts: ['News', 'News'] } }];
    const removed: TimedCall = [
      { kind: 'delete-post', text: 'News' },
      { from: 2, to: 3 },
    ];

    expect(check(history(posted, twice))).toEqual([expect.stringContaining('the post "News"')]);
    expect(check(history(posted, removed, [readPosts, { from: 4, to: 5, answer: { texts: ['News'] } }]))).toHaveLength(
      1,
    );
  });

  test('rejects a lost account, and an erased one that signs in', () => {
    const signedUp: TimedCall = [{ kind: 'sign-up' }, { from: 0, to: 1 }];
    const signIn = { kind: 'sign-in' } as const;
    const erased: TimedCall = [{ kind: 'erase' }, { from: 2, to: 3 }];

    expect(check(history(signedUp, erased, [signIn, { from: 4, to: 5, outcome: 'refused' }]))).toEqual([]);
    expect(check(history(signedUp, [signIn, { from: 4, to: 5, outcome: 'refused' }]))).toHaveLength(1);
    expect(check(history(signedUp, erased, [signIn, { from: 4, to: 5 }]))).toHaveLength(1);
  });
});

describe('streams and the record', () => {
  const candle = (nth: number, timeS: number, digest = String(nth), connection = 'c'): Sighting => ({
    kind: 'candle',
    connection,
    reservationId: 'a',
    nth,
    timeS,
    digest,
  });
  const price = (timeMs: number, socket = 's'): Sighting => ({ kind: 'price', socket, product: 'BTC-USD', timeMs });
  const copy = (...hashes: string[]): Sighting => ({
    kind: 'record',
    day: 'd',
    lines: hashes.map((hash, seq) => ({ seq, hash, isSealed: false })),
  });
  const sealed: Sighting = { kind: 'record', day: 'd', lines: [{ seq: 0, hash: 'x', isSealed: true }] };

  test.each<[string, Sighting[]]>([
    ['a missing candle', [candle(1, 60), candle(3, 180)]],
    ['a candle of another minute', [candle(1, 60), candle(2, 60)]],
    ['a candle that changes', [candle(1, 60), candle(1, 60, 'other', 'd')]],
    ['an old price', [price(5), price(7), price(6)]],
    ['a record that disappears', [copy('x', 'y'), copy('x')]],
    ['a record that changes', [copy('x', 'y'), copy('x', 'z', 'q')]],
    ['a record that is sealed again', [copy('x'), sealed]],
    ['a broken record', [{ kind: 'verified-record', faults: ['a hash does not fit'] }]],
    ['a second server', [{ kind: 'second-start', outcome: 'started' }]],
    ['anything that must never happen', [{ kind: 'violation', text: 'HTML as JSON' }]],
  ])('rejects %s', (_what, seen) => {
    expect(check(saw(...seen))).not.toEqual([]);
  });
});

/** A counter that calls add one to, or read. */
interface CounterCall {
  invokedMs: number;
  returnedMs: number;
  reads: number | null;
}
const counter: Model<number, CounterCall> = {
  initial: 0,
  step: (state, { reads }) => (reads === null ? [state + 1] : reads === state ? [state] : []),
  isReading: ({ reads }) => reads !== null,
  keyOf: String,
};

/** Calls that overlap at random, each with the moment at which it took effect. */
const counterCalls = fc
  .array(fc.record({ startMs: fc.nat(200), lengthMs: fc.nat(60), at: fc.double({ min: 0, max: 1, noNaN: true }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .chain((calls) => fc.tuple(fc.constant(calls), fc.array(fc.boolean(), { minLength: calls.length, maxLength: 12 })))
  .map(([calls, isRead]) => {
    let value = 0;
    return calls
      .map((one, nth) => ({ ...one, nth, momentMs: one.startMs + one.at * one.lengthMs }))
      .sort((a, b) => a.momentMs - b.momentMs)
      .map(({ startMs, lengthMs, nth }): CounterCall => {
        const reads = isRead[nth] === true ? value : null;
        if (reads === null) value += 1;
        return { invokedMs: startMs, returnedMs: startMs + lengthMs, reads };
      });
  });

test('accepts every history that took effect one call after another', () => {
  fc.assert(fc.property(counterCalls, (calls) => void expect(findContradiction(calls, counter)).toBeNull()));
});

test('rejects a history in which a read shows more than was ever added', () => {
  fc.assert(
    fc.property(counterCalls, fc.nat(), (calls, nth) => {
      const adds = calls.filter(({ reads }) => reads === null).length;
      const wrong: CounterCall = { invokedMs: nth % 200, returnedMs: (nth % 200) + 5, reads: adds + 1 };

      expect(findContradiction([...calls, wrong], counter)).not.toBeNull();
    }),
  );
});

test('writes a history that can be read again, and counts a call that throws as open', async () => {
  let nowMs = 5;
  const recorder = startRecorder(() => (nowMs += 1));
  await recorder.call('ada', vote('up'), async () => ({ outcome: 'ok' }));
  await recorder.call('ada', readVote, () => Promise.reject(new Error('no JSON')));
  recorder.fault('server kill', 'begin');

  const events = readHistory(historyText(recorder.events));

  expect(events).toEqual(recorder.events);
  expect(events.map(({ type }) => type)).toEqual(['invoke', 'return', 'invoke', 'seen', 'return', 'fault']);
  expect(check(events)).toEqual(['ada: read-vote was answered with invalid data: Error: no JSON']);
});

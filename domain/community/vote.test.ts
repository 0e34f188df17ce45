import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  describeRefusal,
  nextVoteMs,
  parseOwnVote,
  parseVoteDays,
  parseVoteStats,
  upPercent,
  voteAngle,
  voteHistoryFrom,
} from './vote.ts';

const stats = (up: number, down: number) => ({
  up_pct: null,
  down_pct: null,
  up_count: up,
  down_count: down,
  total: up + down,
});

test.each([
  ['all up', 5, 0, 90],
  ['all down', 0, 5, -90],
  ['as many up as down', 4, 4, 0],
  ['three up, one down', 3, 1, 45],
])('points the needle for %s', (_what, up, down, angle) => {
  expect(voteAngle(stats(up, down))).toBe(angle);
});

test('draws no needle without votes', () => {
  expect(voteAngle(stats(0, 0))).toBeNull();
  expect(upPercent({ fromS: 0, up: 0, down: 0 })).toBeNull();
});

test('keeps the needle within 90 degrees and on the side of the majority, whatever the votes', () => {
  fc.assert(
    fc.property(fc.nat(1e6), fc.nat(1e6), (up, down) => {
      const angle = voteAngle(stats(up, down)) ?? 0;
      expect(Math.abs(angle)).toBeLessThanOrEqual(90);
      expect(Math.sign(angle) === Math.sign(up - down)).toBe(true);
    }),
  );
});

test('starts the history at midnight, UTC, four days before today', () => {
  expect(voteHistoryFrom(Date.UTC(2026, 10, 22, 23, 59)).toISOString()).toBe('2026-11-18T00:00:00.000Z');
  expect(voteHistoryFrom(Date.UTC(2026, 10, 22)).toISOString()).toBe('2026-11-18T00:00:00.000Z');
});

test.each([
  ['in its details', { message: 'TOO_SOON', details: '2026-11-23T10:00:00.000Z' }, Date.UTC(2026, 10, 23, 10)],
  ['without details', { message: 'TOO_SOON', details: null }, null],
  ['with details that are no time', { message: 'TOO_SOON', details: 'wait' }, null],
  ['somewhere in its message', { message: 'P0001: TOO_SOON!', details: null }, null],
  ['and nothing of too soon', { message: 'Votes are closed.', details: '2026-11-23T10:00:00Z' }, undefined],
])('reads a refusal %s', (_what, refusal, expected) => {
  expect(nextVoteMs(refusal)).toBe(expected);
});

test.each([
  [{ message: 'Votes are closed.', details: 'Come back later.' }, 'Votes are closed. Come back later.'],
  [{ message: 'Votes are closed.', details: null }, 'Votes are closed.'],
  [{ message: '', details: null }, 'Could not submit your vote'],
])('joins message and details of another refusal: %o', (refusal, message) => {
  expect(describeRefusal(refusal)).toBe(message);
});

test('reads answers, and refuses invalid ones', () => {
  expect(parseVoteStats([stats(1, 2)])).toMatchObject({ total: 3 });
  expect(parseVoteDays([{ ts: '2026-11-22T00:00:00+00:00', up_count: 1, down_count: 0 }])).toEqual([
    { fromS: Date.UTC(2026, 10, 22) / 1000, up: 1, down: 0 },
  ]);
  expect(parseOwnVote([])).toBeNull();
  expect(parseOwnVote([{ direction: 'up', voted_at: 'x', next_at: '2026-11-23T00:00:00Z' }])).toEqual({
    direction: 'up',
    nextMs: Date.UTC(2026, 10, 23),
  });
  for (const bad of [null, [], [{ total: -1 }], [stats(1, 2), stats(1, 2)]])
    expect(() => parseVoteStats(bad)).toThrow();
  expect(() => parseOwnVote([{ direction: 'sideways', next_at: '' }])).toThrow();
});

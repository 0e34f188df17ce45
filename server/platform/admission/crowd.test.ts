import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crowdOfClass } from './crowd.ts';

const MOST = 12;
const OWNERS = ['a', 'b', 'c', 'd', 'e'];

const anyStep = fc.record({
  owner: fc.constantFrom(...OWNERS),
  do: fc.constantFrom('waits', 'begins', 'refused'),
  times: fc.integer({ min: 1, max: 20 }),
});

test('counts of each other owner only as many as one has with the new request', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
      const crowd = crowdOfClass(MOST, () => 0);
      const waiting = new Map(OWNERS.map((owner) => [owner, 0]));
      const refused = new Map(OWNERS.map((owner) => [owner, 0]));
      const raise = (counts: Map<string, number>, owner: string, by: number) =>
        counts.set(owner, (counts.get(owner) ?? 0) + by);
      for (const { owner, do: what, times } of steps)
        for (let i = 0; i < times; i++) {
          if (what === 'refused') {
            crowd.refused(owner);
            raise(refused, owner, 1);
          } else if (what === 'waits' || (waiting.get(owner) ?? 0) > 0) {
            const change = what === 'waits' ? 1 : -1;
            crowd.waits(owner, change);
            raise(waiting, owner, change);
          }
        }
      const totalOf = (owner: string): number => (waiting.get(owner) ?? 0) + (refused.get(owner) ?? 0);
      for (const owner of OWNERS) {
        const own = totalOf(owner);
        const beside = OWNERS.filter((other) => other !== owner).reduce(
          (sum, other) => sum + Math.min(totalOf(other), own + 1, MOST + 1),
          Math.min(own, MOST + 1),
        );
        expect(crowd.beside(owner, false)).toBe(beside);
      }
    }),
  );
});

test('makes one owner no crowd to another, however much it sends, but to itself', () => {
  const crowd = crowdOfClass(MOST, () => 0);
  for (let i = 0; i < 500; i++) crowd.refused('flood');
  expect(crowd.beside('other', false)).toBe(1);
  expect(crowd.beside('flood', false)).toBeGreaterThanOrEqual(MOST);
});

test('makes many owners with one request each a crowd to a newcomer', () => {
  const crowd = crowdOfClass(MOST, () => 0);
  for (let i = 0; i < 40; i++) crowd.waits(`address ${i}`, 1);
  expect([crowd.beside('newcomer', false), crowd.beside('address 0', true)]).toEqual([40, 39]);
});

test('forgets refusals after five to ten seconds, and those of a time without requests immediately', () => {
  let nowMs = 0;
  const crowd = crowdOfClass(MOST, () => nowMs);
  for (const owner of OWNERS) crowd.refused(owner);
  nowMs = 5000;
  expect(crowd.beside('newcomer', false)).toBe(OWNERS.length);
  nowMs = 10_000;
  expect(crowd.beside('newcomer', false)).toBe(0);
  for (const owner of OWNERS) crowd.refused(owner);
  nowMs = 30_000;
  expect(crowd.beside('newcomer', false)).toBe(0);
});

test('counts the refusals of ten thousand owners at most', () => {
  const crowd = crowdOfClass(MOST, () => 0);
  for (let i = 0; i < 10_010; i++) crowd.refused(`address ${i}`);
  expect(crowd.beside('newcomer', false)).toBe(10_000);
});

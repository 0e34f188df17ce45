import { beforeEach, expect, test } from 'vitest';
import { type OwnerPace, ownerPace } from './owner-pace.ts';

let nowMs: number;
let pace: OwnerPace;

beforeEach(() => {
  nowMs = 0;
  pace = ownerPace(() => nowMs);
});

/** As much as it may, for so long; the loop has no more time than there is. @returns milliseconds of work */
function spendFor(owner: string, ms: number, others: readonly string[] = []): number {
  let spentMs = 0;
  for (const endMs = nowMs + ms; nowMs < endMs; nowMs += 5) {
    for (const one of [owner, ...others]) pace.arrived(one);
    if (!pace.mayStart(owner)) continue;
    pace.spent(owner, 5);
    spentMs += 5;
  }
  return spentMs;
}

const visitors = (count: number): string[] => Array.from({ length: count }, (_, i) => `visitor ${i}`);

test('leaves all of the time to an owner that is alone', () => {
  expect(spendFor('a', 60_000)).toBe(60_000);
});

test.each([
  [1, 1 / 2],
  [4, 1 / 5],
  [30, 0.15],
])('limits an owner beside %i others to its share after a burst of a second', (others, share) => {
  const spentMs = spendFor('flood', 60_000, visitors(others));
  expect(spentMs).toBeGreaterThan(share * 60_000 + 900);
  expect(spentMs).toBeLessThan(share * 60_000 + 1500);
});

test('charges no more than 50 milliseconds for a request, because code that runs first takes long', () => {
  for (const one of visitors(9)) pace.arrived(one);
  for (let i = 0; i < 19; i++) pace.spent('a', 2000);
  expect(pace.mayStart('a')).toBe(true);
  pace.spent('a', 2000);
  expect(pace.mayStart('a')).toBe(false);
});

test('charges half a millisecond for a request that took no time', () => {
  for (const one of visitors(9)) pace.arrived(one);
  let requests = 0;
  for (; pace.mayStart('flood'); requests++) pace.spent('flood', 0);
  expect(requests).toBe(2000);
});

test('lets an owner that waited burst again', () => {
  spendFor('flood', 20_000, visitors(9));
  expect(pace.mayStart('flood')).toBe(false);
  nowMs += 7000;
  expect(spendFor('flood', 1000, visitors(9))).toBeGreaterThan(900);
});

test('limits an owner no longer once the others have left', () => {
  spendFor('flood', 20_000, visitors(9));
  spendFor('flood', 15_000);
  expect(spendFor('flood', 10_000)).toBe(10_000);
});

test('limits no request of unknown origin, and counts all of them as one owner', () => {
  for (let i = 0; i < 500; i++) {
    const unknown = Symbol('unknown');
    pace.arrived(unknown);
    pace.spent(unknown, 50);
    expect(pace.mayStart(unknown)).toBe(true);
  }
  pace.arrived('a');
  for (let i = 0; i < 28; i++) pace.spent('a', 50);
  nowMs += 1000;
  expect(pace.mayStart('a')).toBe(true);
});

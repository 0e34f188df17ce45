import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownerLine } from '../owner-line.ts';
import { classQueues } from './class-queues.ts';

const SHARES = { calls: { weight: 8 }, streams: { weight: 4 }, pages: { weight: 2 } };
type Name = keyof typeof SHARES;
const always = (): boolean => true;
const line = <T>() => ownerLine<T>({ nowMs: () => 0 });
/** Each entry from another caller. */
const someone = (): symbol => Symbol('someone');

function filled(counts: Partial<Record<Name, number>>) {
  const queues = classQueues<Name, number>(SHARES, line);
  for (const [name, count] of Object.entries(counts))
    for (let i = 0; i < count; i++) queues.push(name as Name, someone(), i);
  return queues;
}

/** Gives turns that each take `costMs` of their class. @returns the time by class */
function spend(queues: ReturnType<typeof filled>, turns: number, costMs: Readonly<Record<Name, number>>) {
  const spent: Record<Name, number> = { calls: 0, streams: 0, pages: 0 };
  for (let i = 0; i < turns; i++) {
    const next = queues.shift(always);
    if (next === null) break;
    queues.charge(next.name, costMs[next.name]);
    spent[next.name] += costMs[next.name];
  }
  return spent;
}

test('shares time among busy classes by weight, whatever a piece of work costs', () => {
  const cost = fc.double({ min: 0.1, max: 5, noNaN: true });
  fc.assert(
    fc.property(fc.record({ calls: cost, streams: cost, pages: cost }), (costMs) => {
      const spent = spend(filled({ calls: 5000, streams: 5000, pages: 5000 }), 2000, costMs);
      // Each class may have one piece too many or too few, by weight.
      const shares = (Object.keys(SHARES) as Name[]).map((name) => spent[name] / SHARES[name].weight);
      const slack = Math.max(
        ...(Object.keys(SHARES) as Name[]).map((name) => (2 * costMs[name]) / SHARES[name].weight),
      );
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(slack);
    }),
  );
});

test('gives the unused time of one class to the others', () => {
  const spent = spend(filled({ calls: 0, streams: 1000, pages: 1000 }), 900, { calls: 1, streams: 1, pages: 1 });
  expect(spent.calls).toBe(0);
  expect(spent.streams / spent.pages).toBeCloseTo(2, 1);
});

test('gives no saved-up time to a class that was idle', () => {
  const queues = filled({ streams: 1000 });
  spend(queues, 500, { calls: 1, streams: 1, pages: 1 });
  for (let i = 0; i < 1000; i++) queues.push('calls', someone(), i);
  const spent = spend(queues, 30, { calls: 1, streams: 1, pages: 1 });
  expect(spent.streams).toBeGreaterThanOrEqual(9);
});

test('skips a class that may not start, and keeps its waiting work in order', () => {
  const queues = filled({ calls: 3, pages: 1 });
  expect(queues.shift((name) => name !== 'calls')).toEqual({ name: 'pages', entry: 0 });
  expect(queues.shift((name) => name !== 'calls')).toBeNull();
  expect([queues.shift(always), queues.shift(always)].map((one) => one?.entry)).toEqual([0, 1]);
  const left = queues.line('calls');
  expect([left.length, queues.waitingInAll(), [...left.firsts()].map(([, entry]) => entry)]).toEqual([1, 1, [2]]);
});

test('returns thousands of entries in order while others arrive', () => {
  const queues = classQueues<Name, number>(SHARES, line);
  const shifted: number[] = [];
  for (let i = 0; i < 9000; i++) {
    queues.push('calls', someone(), i);
    if (i % 3 === 2) for (let k = 0; k < 2; k++) shifted.push(queues.shift(always)?.entry ?? -1);
  }
  for (let next = queues.shift(always); next !== null; next = queues.shift(always)) shifted.push(next.entry);
  expect(shifted).toEqual(Array.from({ length: 9000 }, (_, i) => i));
});

test('does not delay a class for time it used while nothing waited', () => {
  const queues = classQueues({ a: { weight: 1 }, b: { weight: 1 } }, line);
  for (let i = 0; i < 1000; i++) queues.charge('a', 5);
  for (let i = 0; i < 10; i++) {
    queues.push('a', someone(), 'a');
    queues.push('b', someone(), 'b');
  }
  let order = '';
  for (let next = queues.shift(() => true); next !== null; next = queues.shift(() => true)) {
    order += next.entry;
    queues.charge(next.name, 5);
  }
  expect(order.slice(0, 8).replaceAll('b', '')).toHaveLength(4);
});

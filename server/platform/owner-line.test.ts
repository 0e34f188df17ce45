import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_WAITING_OF_ONE, ownerLine } from './owner-line.ts';

const OWNERS = ['a', 'b', 'c', 'd'];

const anyStep = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('push' as const), owner: fc.constantFrom(...OWNERS) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('shift' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), owner: fc.constantFrom(...OWNERS) }) },
);

test('gives owners turns, each with its own requests in order, as a plain list of lists does', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 120 }), (steps) => {
      const line = ownerLine<number>({ nowMs: () => 0 });
      let model: { owner: string; entries: number[] }[] = [];
      for (const [entry, step] of steps.entries()) {
        if (step.do === 'shift') {
          const [next, ...rest] = model;
          expect(line.shift()).toBe(next?.entries.shift());
          model = next === undefined ? [] : [...rest, next];
        } else {
          const own = model.find(({ owner }) => owner === step.owner);
          if (step.do === 'drop') expect(line.shiftOf(step.owner)).toBe(own?.entries.shift());
          else {
            line.push(step.owner, entry);
            if (own === undefined) model.push({ owner: step.owner, entries: [entry] });
            else own.entries.push(entry);
          }
        }
        model = model.filter(({ entries }) => entries.length > 0);
        expect([...line.firsts()]).toEqual(model.map(({ owner, entries }) => [owner, entries[0]]));
        expect(line.length).toBe(model.reduce((sum, { entries }) => sum + entries.length, 0));
        for (const owner of OWNERS) {
          const place = model.find((one) => one.owner === owner)?.entries.length ?? 0;
          // A new request starts after at most as many of each other owner as it has, and one.
          const others = model.filter((one) => one.owner !== owner);
          const ahead = others.reduce((sum, { entries }) => sum + Math.min(entries.length, place + 1), place);
          expect(line.waitingOf(owner)).toBe(place);
          expect(line.ahead(owner, place)).toBe(ahead);
        }
      }
    }),
  );
});

test('measures how long the next owner has waited for this turn, not how long its requests have waited', () => {
  let nowMs = 0;
  const line = ownerLine<string>({ nowMs: () => nowMs });
  line.push('flood', 'first');
  line.push('flood', 'second');
  nowMs = 300;
  expect(line.turnAgeMs()).toBe(300);
  line.shift();
  nowMs = 320;
  expect(line.turnAgeMs()).toBe(20);
  line.shift();
  expect(line.turnAgeMs()).toBe(0);
});

test('counts as many of one owner as may wait', () => {
  const line = ownerLine<number>({ nowMs: () => 0 });
  for (let i = 0; i < MAX_WAITING_OF_ONE; i++) line.push('flood', i);
  expect([line.ahead('flood', MAX_WAITING_OF_ONE), line.ahead('other', 0)]).toEqual([MAX_WAITING_OF_ONE, 1]);
});

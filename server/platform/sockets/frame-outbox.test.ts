import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FrameLine, frameOutbox } from './frame-outbox.ts';

function aLine(): FrameLine & { received: string[] } {
  const received: string[] = [];
  return { received, waitingBytes: 0, write: (frame) => void received.push(String(frame)) };
}

/** Each reading of the clock is `stepMs` later than the last. */
function slowClock(stepMs: number): () => number {
  let ms = 0;
  return () => {
    ms += stepMs;
    return ms;
  };
}

test('writes few frames immediately, and many in slices with other work in between', async () => {
  // Each slice ends at the first clock reading, which comes after 32 frames.
  const outbox = frameOutbox({ nowMs: slowClock(60) });
  const line = aLine();
  for (let i = 0; i < 100; i++) outbox.send(line, Buffer.from('a'));

  expect([line.received.length, line.waitingBytes, outbox.isBehind()]).toEqual([32, 68, true]);
  await nextTurn();
  expect([line.received.length, line.waitingBytes]).toEqual([64, 36]);
  await nextTurn();
  await nextTurn();
  expect([line.received.length, line.waitingBytes, outbox.isBehind()]).toEqual([100, 0, false]);
});

test('sends every line its frames in order, none lost or repeated', async () => {
  const sends = fc.array(fc.tuple(fc.nat(4), fc.nat(20)), { maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(sends, fc.constantFrom(0.1, 1, 60), async (all, stepMs) => {
      const outbox = frameOutbox({ nowMs: slowClock(stepMs) });
      const lines = Array.from({ length: 5 }, aLine);
      for (const [i, [to, pauses]] of all.entries()) {
        const line = lines[to];
        if (line !== undefined) outbox.send(line, Buffer.from(String(i)));
        if (pauses === 0) await nextTurn();
      }
      for (let turns = 0; turns <= all.length / 32 + 1; turns++) await nextTurn();
      for (const [to, line] of lines.entries()) {
        expect(line.received).toEqual(all.flatMap(([other], i) => (other === to ? [String(i)] : [])));
        expect(line.waitingBytes).toBe(0);
      }
    }),
    { numRuns: 40 },
  );
});

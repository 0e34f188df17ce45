import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FrameLine, frameOutbox } from './frame-outbox.ts';

function aLine(): FrameLine & { heard: string[] } {
  const heard: string[] = [];
  return { heard, waitingBytes: 0, write: (frame) => void heard.push(String(frame)) };
}

/** Each look at the clock is `stepMs` later than the last. */
function slowClock(stepMs: number): () => number {
  let ms = 0;
  return () => {
    ms += stepMs;
    return ms;
  };
}

test('few frames are written at once; of many the rest waits for its turn, and others come in between', async () => {
  // Each slice is over at the first look, which is after 32 frames.
  const outbox = frameOutbox({ nowMs: slowClock(60) });
  const line = aLine();
  for (let i = 0; i < 100; i++) outbox.send(line, Buffer.from('a'));

  expect([line.heard.length, line.waitingBytes, outbox.isBehind()]).toEqual([32, 68, true]);
  await nextTurn();
  expect([line.heard.length, line.waitingBytes]).toEqual([64, 36]);
  await nextTurn();
  await nextTurn();
  expect([line.heard.length, line.waitingBytes, outbox.isBehind()]).toEqual([100, 0, false]);
});

test('every line gets its frames in the order they were sent, none lost or twice, whatever else is sent meanwhile', async () => {
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
        expect(line.heard).toEqual(all.flatMap(([other], i) => (other === to ? [String(i)] : [])));
        expect(line.waitingBytes).toBe(0);
      }
    }),
    { numRuns: 40 },
  );
});

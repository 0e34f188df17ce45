import { expect, test } from 'vitest';
import { wakeLoop } from './wake-loop.ts';

/** Its runs end when the test ends them. */
function aLoop() {
  const runs: PromiseWithResolvers<void>[] = [];
  const loop = wakeLoop(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  const end = async (nth: number) => {
    runs[nth]?.resolve();
    await new Promise(setImmediate);
  };
  return { loop, end, started: () => runs.length };
}

test('runs once more after any number of wakes during a run', async () => {
  const { loop, end, started } = aLoop();
  loop.wake();
  for (let n = 0; n < 3; n++) loop.wake();
  expect(started()).toBe(1);

  await end(0);
  expect(started()).toBe(2);
  await end(1);
  expect(started()).toBe(2);
});

test('waits for the run in progress when it is stopped, and starts no other', async () => {
  const { loop, end, started } = aLoop();
  loop.wake();
  loop.wake();
  let hasEnded = false;
  const ended = loop.stop().then(() => {
    hasEnded = true;
  });
  await new Promise(setImmediate);
  expect(hasEnded).toBe(false);

  await end(0);
  await ended;
  loop.wake();
  expect(started()).toBe(1);
});

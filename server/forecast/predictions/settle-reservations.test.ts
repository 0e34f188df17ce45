import pino from 'pino';
import { expect, test } from 'vitest';
import { startSettling } from './settle-reservations.ts';

const log = pino({ level: 'silent' });

test('settles immediately and after each interval, and continues after a failure', async () => {
  let runs = 0;
  const settle = async () => {
    runs += 1;
    if (runs === 2) throw new Error('database away');
    return { spent: 0, released: 0 };
  };

  const stop = startSettling({ predictions: { settle }, log, intervalMs: 5 });

  await expect.poll(() => runs).toBeGreaterThan(3);
  await stop();
});

test('waits for the current run when stopped, and starts no other', async () => {
  let runs = 0;
  let finish = () => {};
  const settle = async () => {
    runs += 1;
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return { spent: 1, released: 0 };
  };
  const stop = startSettling({ predictions: { settle }, log, intervalMs: 1 });

  let isStopped = false;
  const stopped = stop().then(() => {
    isStopped = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
  const wasStoppedEarly = isStopped;
  finish();
  await stopped;

  expect(wasStoppedEarly).toBe(false);
  expect(runs).toBe(1);
});

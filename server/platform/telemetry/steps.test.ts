import { expect, test } from 'vitest';
import { currentTraceId, isWatched, type Step, step, watchSteps } from './steps.ts';

test('runs work unchanged without watchers', async () => {
  expect(isWatched()).toBe(false);
  expect(await step({ kind: 'job', name: 'x' }, async () => 5)).toBe(5);
  expect(currentTraceId()).toBeUndefined();
});

test('passes each step to every watcher once, the latest outermost, and rethrows its failure', async () => {
  const seen: string[] = [];
  const watcher = (who: string) => ({
    async watch<T>({ name }: Step, work: () => Promise<T>): Promise<T> {
      seen.push(`${who} ${name}`);
      try {
        return await work();
      } finally {
        seen.push(`${who} after`);
      }
    },
  });
  const undo = [watchSteps(watcher('a')), watchSteps(watcher('b'))];

  const failing = step({ kind: 'job', name: 'x' }, () => Promise.reject(new RangeError('broken')));
  await expect(failing).rejects.toThrow(RangeError);
  for (const one of undo) one();

  expect(seen).toEqual(['b x', 'a x', 'a after', 'b after']);
  expect(isWatched()).toBe(false);
});

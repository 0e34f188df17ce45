import { expect, test, vi } from 'vitest';
import { workQueue } from './one-at-a-time.ts';

const soon = () => new Promise((settle) => setTimeout(settle, 2));

test('runs one at a time in order, and continues after a failure', async () => {
  const queue = workQueue({ maxWaiting: 10 });
  const events: string[] = [];
  const work = (name: string, fails: boolean) =>
    queue.run(async () => {
      events.push(`${name} starts`);
      await soon();
      events.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });

  const results = await Promise.allSettled([work('a', false), work('b', true), work('c', false)]);

  expect(events).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('refuses immediately when full, and accepts work again when there is room', async () => {
  const queue = workQueue({ maxWaiting: 2 });
  const first = queue.run(soon);
  const second = queue.run(soon);

  const third = queue.run(soon);

  await expect(third).rejects.toMatchObject({ code: 'request/too-many' });
  await Promise.all([first, second]);
  await expect(queue.run(() => Promise.resolve('done'))).resolves.toBe('done');
});

test('limits one owner’s share, serves others, and accepts the owner again afterwards', async () => {
  const queue = workQueue({ maxWaiting: 4, maxOfOne: 2 });
  const ada = { owner: 'ada' };
  const own = [queue.run(soon, ada), queue.run(() => Promise.reject(new Error('failed')), ada)];

  const third = queue.run(soon, ada);
  const other = queue.run(() => Promise.resolve('done'), { owner: 'bob' });

  await expect(third).rejects.toMatchObject({ code: 'request/too-many' });
  await expect(other).resolves.toBe('done');
  await Promise.allSettled(own);
  await expect(queue.run(() => Promise.resolve('again'), ada)).resolves.toBe('again');
});

test('lets owners take turns, so that one with much work delays another by one piece of it', async () => {
  const queue = workQueue({ maxWaiting: 10 });
  const done: string[] = [];
  const run = (owner: string, name: string) => queue.run(async () => void done.push(name), { owner });

  await Promise.all([run('ada', 'a1'), run('ada', 'a2'), run('ada', 'a3'), run('bob', 'b1'), run('eve', 'e1')]);

  expect(done).toEqual(['a1', 'a2', 'b1', 'e1', 'a3']);
});

test('skips work whose caller disconnected, and rejects work that waited too long', async () => {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const queue = workQueue({ maxWaiting: 10, maxWaitMs: 20 });
  const left = new AbortController();
  const done: string[] = [];
  const late = Promise.withResolvers<void>();
  const first = queue.run(soon);
  const ofOneLeft = queue.run(async () => done.push('gone'), { signal: left.signal });
  const long = queue.run(async () => {
    nowMs = 21;
    await late.promise;
  });
  const tooLate = queue.run(async () => done.push('too late'));

  left.abort();
  late.resolve();

  await expect(ofOneLeft).rejects.toMatchObject({ code: 'request/too-many' });
  await expect(tooLate).rejects.toMatchObject({ code: 'request/too-many', details: { retryAfterS: 1 } });
  await Promise.all([first, long]);
  await queue.run(async () => done.push('in time'));
  expect(done).toEqual(['in time']);
});

test('estimates the wait from the queue and the recent durations', async () => {
  const queue = workQueue({ maxWaiting: 10 });
  expect(queue.backlog()).toEqual({ waiting: 0, expectedMs: 0 });
  await queue.run(soon);
  const waiting = [queue.run(soon), queue.run(soon)];
  const both = queue.backlog();
  await waiting[0];
  expect(both.waiting).toBe(2);
  expect(both.expectedMs).toBeGreaterThan(0);
  await Promise.all(waiting);
  expect(queue.backlog()).toEqual({ waiting: 0, expectedMs: 0 });
});

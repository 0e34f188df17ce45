import { expect, test } from 'vitest';
import { userQueue } from './billing-function.ts';

/** Work that ends when `finish` is called. */
function held() {
  let finish = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { done, finish };
}

const aTurn = () => new Promise((resolve) => setTimeout(resolve));

test('runs one user’s changes in order, and another user’s without waiting', async () => {
  const queue = userQueue();
  const first = held();
  const order: string[] = [];
  const all = [
    queue.run('ada', async () => {
      await first.done;
      order.push('ada 1');
    }),
    queue.run('ada', async () => order.push('ada 2')),
    queue.run('bob', async () => order.push('bob')),
  ];
  await aTurn();
  expect(order).toEqual(['bob']);

  first.finish();
  await Promise.all(all);
  expect(order).toEqual(['bob', 'ada 1', 'ada 2']);
});

test('reports a failed change only to its own caller', async () => {
  const queue = userQueue();
  const failed = queue.run('ada', () => Promise.reject(new Error('no')));
  const next = queue.run('ada', async () => 'done');

  await expect(failed).rejects.toThrow('no');
  await expect(next).resolves.toBe('done');
});

test('refuses further waiting changes of one user, and accepts them again afterwards', async () => {
  const queue = userQueue(2);
  const first = held();
  const running = [queue.run('ada', () => first.done), queue.run('ada', async () => undefined)];

  await expect(queue.run('ada', async () => 'third')).rejects.toMatchObject({ code: 'billing/busy' });
  first.finish();
  await Promise.all(running);
  await expect(queue.run('ada', async () => 'later')).resolves.toBe('later');
});

import { expect, test } from 'vitest';
import { closeAll } from './close-all.ts';

test('runs every step in order, and reports failures at the end', async () => {
  const ran: string[] = [];
  const step = (name: string, failure: Error | null) => async () => {
    ran.push(name);
    if (failure !== null) throw failure;
  };
  const broken = new Error('broken');

  const one = closeAll([step('a', null), step('b', broken), step('c', null)]);
  await expect(one).rejects.toBe(broken);
  const two = closeAll([step('d', broken), () => step('e', broken)(), step('f', null)]);

  await expect(two).rejects.toMatchObject({ errors: [broken, broken] });
  expect(ran).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('treats a step that throws synchronously like any other failure', async () => {
  const ran: string[] = [];
  const thrown = () => {
    throw new Error('immediately');
  };

  await expect(closeAll([thrown, () => ran.push('next')])).rejects.toThrow('immediately');

  expect(ran).toEqual(['next']);
});

import { expect, test } from 'vitest';
import { sharedStreamSlots, streamSlots } from './stream-slots.ts';

test('refuses a fourth stream of one user, but not of another', () => {
  const slots = streamSlots();
  for (let i = 0; i < 3; i++) slots.take('ada');

  expect(() => slots.take('ada')).toThrow('request/too-many');
  slots.take('ben');
});

test('counts a slot that is released twice as one', async () => {
  const slots = streamSlots(1);
  const place = slots.take('ada');
  await place.giveBack();
  await place.giveBack();
  slots.take('ada');

  expect(() => slots.take('ada')).toThrow('request/too-many');
});

test('queries the database only on confirmation, and never beyond this process’s own limit', async () => {
  const calls: string[] = [];
  const store = {
    take: async (userId: string) => calls.push(`take ${userId}`) < 3,
    free: async (userId: string) => void calls.push(`free ${userId}`),
    removeOld: async () => 0,
  };
  const slots = sharedStreamSlots(store, 3);
  const [first, second, third] = [slots.take('ada'), slots.take('ada'), slots.take('ada')];

  expect(() => slots.take('ada')).toThrow('request/too-many');
  expect(calls).toEqual([]);
  await first.confirm();
  await second.confirm();
  await expect(third.confirm()).rejects.toThrow('request/too-many');
  for (const place of [third, third, first]) await place.giveBack();

  expect(calls).toEqual(['take ada', 'take ada', 'take ada', 'free ada', 'free ada']);
  slots.take('ada');
  slots.take('ada');
});

test('releases an unconfirmed place without a database query', async () => {
  const away = () => Promise.reject(new Error('asked'));
  const slots = sharedStreamSlots({ take: away, free: away, removeOld: away }, 1);
  await slots.take('ada').giveBack();
  slots.take('ada');
});

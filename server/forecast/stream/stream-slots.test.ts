import { expect, test } from 'vitest';
import { sharedStreamSlots, streamSlots } from './stream-slots.ts';

test('a fourth stream of one user is refused, another user is not', () => {
  const slots = streamSlots();
  for (let i = 0; i < 3; i++) slots.take('ada');

  expect(() => slots.take('ada')).toThrow('request/too-many');
  slots.take('ben');
});

test('a slot given back twice is one slot', async () => {
  const slots = streamSlots(1);
  const place = slots.take('ada');
  await place.giveBack();
  await place.giveBack();
  slots.take('ada');

  expect(() => slots.take('ada')).toThrow('request/too-many');
});

test('over all processes the database is asked when the place is confirmed, and never for more than this process may have', async () => {
  const asked: string[] = [];
  const store = {
    take: async (userId: string) => asked.push(`take ${userId}`) < 3,
    free: async (userId: string) => void asked.push(`free ${userId}`),
    removeOld: async () => 0,
  };
  const slots = sharedStreamSlots(store, 3);
  const [first, second, third] = [slots.take('ada'), slots.take('ada'), slots.take('ada')];

  expect(() => slots.take('ada')).toThrow('request/too-many');
  expect(asked).toEqual([]);
  await first.confirm();
  await second.confirm();
  await expect(third.confirm()).rejects.toThrow('request/too-many');
  for (const place of [third, third, first]) await place.giveBack();

  expect(asked).toEqual(['take ada', 'take ada', 'take ada', 'free ada', 'free ada']);
  slots.take('ada');
  slots.take('ada');
});

test('a place that was never confirmed is given back without asking the database', async () => {
  const away = () => Promise.reject(new Error('asked'));
  const slots = sharedStreamSlots({ take: away, free: away, removeOld: away }, 1);
  await slots.take('ada').giveBack();
  slots.take('ada');
});

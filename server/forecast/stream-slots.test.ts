import { expect, test } from 'vitest';
import { streamSlots } from './stream-slots.ts';

test('a fourth stream of one user is refused, another user is not', async () => {
  const slots = streamSlots();
  for (let i = 0; i < 3; i++) await slots.take('ada');

  await expect(slots.take('ada')).rejects.toThrow('request/too-many');
  await slots.take('ben');
});

test('a slot given back twice is one slot', async () => {
  const slots = streamSlots(1);
  const giveBack = await slots.take('ada');
  await giveBack();
  await giveBack();
  await slots.take('ada');

  await expect(slots.take('ada')).rejects.toThrow('request/too-many');
});

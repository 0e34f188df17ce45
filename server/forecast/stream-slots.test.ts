import { expect, test } from 'vitest';
import { streamSlots } from './stream-slots.ts';

test('a fourth stream of one user is refused, another user is not', () => {
  const slots = streamSlots();
  for (let i = 0; i < 3; i++) slots.take('ada');

  expect(() => slots.take('ada')).toThrow('request/too-many');
  expect(() => slots.take('ben')).not.toThrow();
});

test('a slot given back twice is one slot', () => {
  const slots = streamSlots(1);
  const giveBack = slots.take('ada');
  giveBack();
  giveBack();
  slots.take('ada');

  expect(() => slots.take('ada')).toThrow('request/too-many');
});

import { expect, test } from 'vitest';
import { uploadSlots } from './upload-slots.ts';

/** An upload that lasts until `end` is called. */
function openWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}

test('gives one user at most two slots, and frees them afterwards', async () => {
  const slots = uploadSlots({ all: 10, ofOne: 2 });
  const [first, second] = [openWork(), openWork()];
  const held = [slots.hold('ada', first.work), slots.hold('ada', second.work)];

  await expect(slots.hold('ada', async () => 'third')).rejects.toMatchObject({ code: 'request/too-many' });
  expect(await slots.hold('bob', async () => 'other')).toBe('other');
  first.end();
  await held[0];

  expect(await slots.hold('ada', async () => 'third')).toBe('third');
  second.end();
  await held[1];
});

test('refuses every user with 503 when all slots are taken, and frees the slot of a failed upload', async () => {
  const slots = uploadSlots({ all: 1, ofOne: 2 });
  const { work, end } = openWork();
  const held = slots.hold('ada', work);

  await expect(slots.hold('bob', async () => 1)).rejects.toMatchObject({ statusCode: 503 });
  end();
  await held;
  await expect(slots.hold('bob', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');

  expect(await slots.hold('eve', async () => 2)).toBe(2);
});

test('limits the service role only by the total of slots', async () => {
  const slots = uploadSlots({ all: 3, ofOne: 1 });
  const { work, end } = openWork();
  const held = [slots.hold(null, work), slots.hold(null, work), slots.hold(null, work)];

  await expect(slots.hold(null, async () => 4)).rejects.toMatchObject({ statusCode: 503 });
  end();
  await Promise.all(held);

  expect(await slots.hold(null, async () => 4)).toBe(4);
});

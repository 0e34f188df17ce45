import { expect, test } from 'vitest';
import { uploadSlots } from './upload-slots.ts';

/** An upload that lasts until it is told to end. */
function openWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}

test('one user holds two slots at most, and gets them back', async () => {
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

test('beyond all slots everybody waits outside, and a failure frees its slot', async () => {
  const slots = uploadSlots({ all: 1, ofOne: 2 });
  const { work, end } = openWork();
  const held = slots.hold('ada', work);

  await expect(slots.hold('bob', async () => 1)).rejects.toMatchObject({ statusCode: 503 });
  end();
  await held;
  await expect(slots.hold('bob', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');

  expect(await slots.hold('eve', async () => 2)).toBe(2);
});

test('the service counts by all slots alone', async () => {
  const slots = uploadSlots({ all: 3, ofOne: 1 });
  const { work, end } = openWork();
  const held = [slots.hold(null, work), slots.hold(null, work), slots.hold(null, work)];

  await expect(slots.hold(null, async () => 4)).rejects.toMatchObject({ statusCode: 503 });
  end();
  await Promise.all(held);

  expect(await slots.hold(null, async () => 4)).toBe(4);
});

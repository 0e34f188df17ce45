import { expect, test } from 'vitest';
import { type StreamPlaces, streamPlaces } from './stream-places.ts';

const COUNTS = { inAll: 10, forPlansOnly: 4, ofUser: 3, ofAddress: 5 };
const FULL = { code: 'request/too-many', details: { mostStreams: 3 } };

const free = (userId: string, address: string | null = null) => ({ userId, address, hasPlan: async () => false });
const paying = (userId: string, address: string | null = null) => ({ userId, address, hasPlan: async () => true });

/** @returns how many of as many accounts got a place */
async function takeMany(places: StreamPlaces, count: number, reader: (userId: string) => ReturnType<typeof free>) {
  const taken = await Promise.allSettled(
    Array.from({ length: count }, (_, i) => places.take(reader(`${reader.name} ${i}`))),
  );
  return taken.filter(({ status }) => status === 'fulfilled').length;
}

test('gives an account three places, and another one once one is freed', async () => {
  const places = streamPlaces(COUNTS);
  const [leave] = [await places.take(free('ada')), await places.take(free('ada')), await places.take(free('ada'))];
  await expect(places.take(free('ada'))).rejects.toMatchObject(FULL);
  await expect(places.take(paying('ada'))).rejects.toMatchObject(FULL);
  leave?.();
  leave?.();
  await places.take(free('ada'));
  await expect(places.take(free('ada'))).rejects.toMatchObject(FULL);
});

test('holds places for accounts with a plan, however many come without', async () => {
  const places = streamPlaces(COUNTS);
  expect(await takeMany(places, 100, free)).toBe(6);
  expect(await takeMany(places, 100, paying)).toBe(4);
  await expect(places.take(paying('late'))).rejects.toMatchObject(FULL);
});

test('gives one address its share of places, and more to accounts with a plan', async () => {
  const places = streamPlaces(COUNTS);
  expect(await takeMany(places, 100, (userId) => free(userId, '192.0.2.1'))).toBe(5);
  await places.take(free('other', '192.0.2.2'));
  await places.take(paying('office', '192.0.2.1'));
});

test('reads the plan only when it decides', async () => {
  const places = streamPlaces(COUNTS);
  let reads = 0;
  const counted = (userId: string) => ({
    ...free(userId),
    hasPlan: async () => {
      reads += 1;
      return false;
    },
  });
  for (let i = 0; i < 3; i++) await places.take(counted('ada'));
  await expect(places.take(counted('ada'))).rejects.toMatchObject(FULL);
  expect(reads).toBe(0);
});

test('gives no place twice while plans are being read', async () => {
  const places = streamPlaces({ ...COUNTS, inAll: 5 });
  expect(await takeMany(places, 1, free)).toBe(1);
  expect(await takeMany(places, 100, paying)).toBe(4);
});

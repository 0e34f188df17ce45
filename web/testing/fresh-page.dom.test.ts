import { expect, test } from 'vitest';
import { firstPaint } from '../platform/first-paint.ts';
import { tables } from '../platform/supabase.ts';
import { fakeBackend } from '../platform/testing/fake-backend.ts';
import { endPage } from './fresh-page.ts';

test('ends a page after the code that it still loads, whose calls reach its own backend', async () => {
  const server = fakeBackend();
  void import('./slow-code.ts').then(({ callLate }) => callLate());

  await endPage();

  expect(server.to('/late')).toHaveLength(1);
});

test('keeps the calls of an ended page from the next one’s backend', async () => {
  fakeBackend();
  const painted = Promise.withResolvers<void>();
  firstPaint().painted = painted.promise;
  const call = tables().then((client) => client.from('profiles').select('*'));

  await endPage();
  const next = fakeBackend();
  painted.resolve();
  const { error } = await call;

  expect(error?.message).toContain('AbortError');
  expect(next.to('/rest/v1/profiles')).toEqual([]);
});

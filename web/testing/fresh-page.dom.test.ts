import { expect, test } from 'vitest';
import { fakeBackend } from '../platform/testing/fake-backend.ts';
import { endPage } from './fresh-page.ts';

test('ends a page after the code that it still loads, whose calls reach its own backend', async () => {
  const server = fakeBackend();
  void import('./slow-code.ts').then(({ callLate }) => callLate());

  await endPage();

  expect(server.to('/late')).toHaveLength(1);
});

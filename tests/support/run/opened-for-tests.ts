/** What a describe block opens before its tests and closes after them. */
import { afterAll, beforeAll } from 'vitest';

/** @returns reads what was opened; to be called within the tests only */
export function openedForTests<T extends { close(): Promise<unknown> }>(open: () => Promise<T>): () => T {
  let opened: T | undefined;

  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.close());

  return () => {
    if (opened === undefined) throw new Error('nothing is open outside the tests');
    return opened;
  };
}

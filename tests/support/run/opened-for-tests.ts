/** Opens a resource before a describe block's tests and closes it after them. */
import { afterAll, beforeAll } from 'vitest';

/** @returns a getter of the open resource; call it only within the tests */
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

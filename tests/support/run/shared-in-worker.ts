/** Resources that the test files of a worker share: the first file opens one, and it closes when the worker ends. */
import { afterAll, test } from 'vitest';

interface Closable {
  close(): Promise<unknown>;
}

// biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures this one needs.
const workerTest = test.extend('opened', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const opened = new Map<string, Promise<Closable>>();
  onCleanup(async () => {
    for (const one of opened.values()) await (await one).close();
  });
  return opened;
});

/**
 * For a describe block or a whole file, instead of `openedForTests`.
 * @param reset  resets it after each file's tests; if that fails, the next file opens another
 * @returns a getter of the open resource; call it only within the tests
 */
export function sharedInWorker<T extends Closable>(
  name: string,
  open: () => Promise<T>,
  reset: (shared: T) => Promise<unknown>,
): () => T {
  let forget = () => {};
  let shared: T | undefined;

  workerTest.beforeAll(async ({ opened }) => {
    // A name always has the same `open`, so the entry is a T.
    const found = (opened.get(name) as Promise<T> | undefined) ?? open();
    opened.set(name, found);
    forget = () => opened.delete(name);
    shared = await found;
  });

  afterAll(async () => {
    if (shared === undefined) return;
    try {
      await reset(shared);
    } catch (error) {
      forget();
      await shared.close();
      throw error;
    }
  });

  return () => {
    if (shared === undefined) throw new Error('nothing is open outside the tests');
    return shared;
  };
}

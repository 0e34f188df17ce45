/**
 * State that lasts as long as the page. A module keeps its state here instead of in a variable of its own, so that each
 * test can start with a page that was just opened.
 */

const ends: (() => void)[] = [];

/**
 * Creates a module's state. Call the returned function for the state of the current page; asynchronous work calls it
 * once, before its first `await`, so that it never writes into a later page.
 *
 * @param create  the state of a page that was just opened
 * @param release  frees what the state holds outside of itself: listeners, timers, connections
 */
export function pageState<T extends object>(create: () => T, release?: (state: T) => void): () => T {
  let state = create();
  ends.push(() => {
    const ended = state;
    state = create();
    release?.(ended);
  });
  return () => state;
}

/** Ends the page for tests: every module's state is created again. */
export function resetPageState(): void {
  for (const end of ends) end();
}

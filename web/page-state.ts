/** Modules keep state here instead of in a variable, so that each test can start with a newly opened page. */

const ends: (() => void)[] = [];

/**
 * Asynchronous work calls the returned function once, before its first `await`, so that it never writes into a later
 * page.
 * @param create  the state of a newly opened page  @param release  frees listeners, timers, connections
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

/** @returns `setTimeout` whose timers end with the signal, as when the page ends; it returns a function that cancels */
export function timersUntil(signal: AbortSignal): (ms: number, run: () => void) => () => void {
  const timers = new Set<ReturnType<typeof setTimeout>>();
  signal.addEventListener('abort', () => timers.forEach(clearTimeout));
  return (ms, run) => {
    if (signal.aborted) return () => undefined;
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
    return () => {
      timers.delete(timer);
      clearTimeout(timer);
    };
  };
}

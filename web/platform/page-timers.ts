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

/** From callbacks to an async iterable, bounded: a reader that falls behind loses the oldest, never the memory. */
const MAX_WAITING = 5000;

export interface UpdateQueue<T> {
  push(item: T): void;
  /** Yields what was pushed until `signal` aborts. For one reader. */
  drain(signal: AbortSignal): AsyncGenerator<T, void>;
}

export function updateQueue<T>(maxWaiting = MAX_WAITING): UpdateQueue<T> {
  const waiting: T[] = [];
  let wake: () => void = () => {};

  return {
    push(item) {
      if (waiting.length >= maxWaiting) waiting.shift();
      waiting.push(item);
      wake();
    },
    async *drain(signal) {
      const stop = (): void => wake();
      signal.addEventListener('abort', stop);
      try {
        while (!signal.aborted) {
          const item = waiting.shift();
          if (item !== undefined) yield item;
          else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
  };
}

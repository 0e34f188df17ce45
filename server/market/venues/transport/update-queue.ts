/** A bounded queue from callbacks to an async iterable: a slow reader loses the oldest items, and memory is safe. */
const MAX_WAITING = 5000;

export interface UpdateQueue<T> {
  push(item: T): void;
  /** Yields pushed items until `signal` aborts. For one reader. */
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

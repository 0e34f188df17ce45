import { unlessAborted } from '#domain/time/deadline.ts';

interface Call<T> {
  answer: Promise<T>;
  callers: number;
  stop: AbortController;
}

/**
 * Runs work once for simultaneous callers. @returns a function that requests it; aborted once its last caller has left
 */
export function sharedCall<T>(work: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let current: Call<T> | null = null;

  function begin(): Call<T> {
    const stop = new AbortController();
    const call: Call<T> = { answer: work(stop.signal), callers: 0, stop };
    // Each waiting caller handles the outcome; without callers it is ignored.
    call.answer.catch(() => undefined).finally(() => forget(call));
    return call;
  }

  function forget(call: Call<T>): void {
    if (current === call) current = null;
  }

  return async (signal) => {
    signal.throwIfAborted();
    current ??= begin();
    const call = current;
    call.callers += 1;
    try {
      return await unlessAborted(call.answer, signal);
    } finally {
      call.callers -= 1;
      if (call.callers === 0) {
        // Has no effect if the work has already ended.
        call.stop.abort(new DOMException('No caller is waiting for it any more.', 'AbortError'));
        forget(call);
      }
    }
  };
}

/** Work that many may ask for at once, and that is done once for all of them. */
import { unlessAborted } from './unless-aborted.ts';

interface Call<T> {
  answer: Promise<T>;
  askers: number;
  stop: AbortController;
}

/** @returns asks for the work; it is broken off once the last of its askers has left, and nobody else's leaving ends it */
export function sharedCall<T>(work: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let current: Call<T> | null = null;

  function begin(): Call<T> {
    const stop = new AbortController();
    const call: Call<T> = { answer: work(stop.signal), askers: 0, stop };
    // The outcome goes to those who wait; when all have left, to nobody.
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
    call.askers += 1;
    try {
      return await unlessAborted(call.answer, signal);
    } finally {
      call.askers -= 1;
      if (call.askers === 0) {
        // Ends nothing when it is over already.
        call.stop.abort(new DOMException('Nobody waits for it any more.', 'AbortError'));
        forget(call);
      }
    }
  };
}

/** A stream of events without an end: it is opened again whenever its connection is lost. */
import { reconnectDelayMs } from '#domain/time/backoff.ts';
import { pause } from '#domain/time/deadline.ts';
import { CallError } from './call-error.ts';

/** A connection that brings nothing for so long is opened again. */
export const SILENCE_MS = 20_000;

/**
 * @param onLost  called before each wait for the next connection
 * @returns when `signal` aborts
 * @throws CallError when the server refuses the stream
 */
export async function* reopenedStream<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
  onLost: () => void,
): AsyncGenerator<T> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    const silence = silenceTimer();
    try {
      for await (const event of open(AbortSignal.any([signal, silence.signal]))) {
        silence.restart();
        attempt = 0;
        yield event;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof CallError && isRefusal(error)) throw error;
    } finally {
      silence.stop();
    }
    onLost();
    // An abort ends the loop.
    await pause(reconnectDelayMs(attempt, Math.random), signal).catch(() => undefined);
  }
}

/** A busy or restarting server gets another try. */
function isRefusal({ code, status }: CallError): boolean {
  return status >= 400 && status < 500 && code !== 'request/too-many';
}

function silenceTimer() {
  const silent = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silent.abort(), SILENCE_MS);
  };
  restart();
  return { signal: silent.signal, restart, stop: () => clearTimeout(timer) };
}

/** Waits, deadlines and aborts, the same in browsers and in Node. */

// Both have these, but the compiler knows neither here.
declare function setTimeout(work: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;

/** What an AbortSignal is here. */
export interface Abortable {
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Waits for work no longer than its caller does; the work continues. @throws the signal's reason */
export async function unlessAborted<T>(work: Promise<T>, signal: Abortable): Promise<T> {
  // If the caller has already left, no one handles a failure, and an unhandled rejection ends a Node process.
  work.catch(() => undefined);
  signal.throwIfAborted();
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([work, left.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** The work continues after `limitMs`; `late` then gives the result, or throws. @returns null then without `late` */
export async function within<T, L = null>(
  work: Promise<T>,
  limitMs: number,
  late: () => L = () => null as L,
): Promise<T | L> {
  const over = Promise.withResolvers<() => L>();
  const timer = setTimeout(() => over.resolve(late), limitMs);
  try {
    const first = await Promise.race([work.then((result) => () => result), over.promise]);
    return first();
  } finally {
    clearTimeout(timer);
  }
}

/** @throws the signal's reason when it aborts, or has aborted before */
export async function pause(ms: number, signal?: Abortable | null): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(() => over.resolve(), ms);
  try {
    await (signal ? unlessAborted(over.promise, signal) : over.promise);
  } finally {
    clearTimeout(timer);
  }
}

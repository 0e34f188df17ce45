/**
 * Server-sent events that are the same for many readers: each frame is encoded once and holds the whole state, so a slow
 * reader misses frames instead of delaying or filling anything.
 */

export interface FrameViewer {
  send(frame: Uint8Array): void;
  /** Closes the stream. */
  end(): void;
}

export interface SharedStreamOptions {
  /** Also ends the stream, because the server is stopping. */
  stopping?: AbortSignal | undefined;
  /** Ends the stream after this long, so that the reader reconnects; absent: never. */
  lastsMs?: number | undefined;
  /** Called from time to time; the stream ends when the reader may not go on. A failure changes nothing. Absent: always. */
  isAllowed?: (() => Promise<boolean>) | undefined;
  checkMs?: number | undefined;
  /** A reader that takes nothing for this long is disconnected. */
  stallMs?: number;
}

/** Frames that may wait for a reader. */
const WAITING_FRAMES = 4;
const STALL_MS = 15_000;
const CHECK_MS = 15_000;

/** @param join  adds the viewer and returns the function that removes it, which is always called once */
export function sharedStream(
  request: Request,
  join: (viewer: FrameViewer) => () => void,
  { stopping, lastsMs, isAllowed, checkMs = CHECK_MS, stallMs = STALL_MS }: SharedStreamOptions = {},
): Response {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const signals = [request.signal, ...(stopping === undefined ? [] : [stopping])];
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let fullSinceMs: number | null = null;
        const leave = join({
          end,
          send(frame) {
            if ((controller.desiredSize ?? 0) > 0) {
              fullSinceMs = null;
              controller.enqueue(frame);
              return;
            }
            fullSinceMs ??= performance.now();
            if (performance.now() - fullSinceMs < stallMs) return;
            controller.error(new Error('the client of an event stream stalled'));
            end();
          },
        });
        const timer = lastsMs === undefined ? undefined : setTimeout(end, lastsMs);
        const checks =
          isAllowed &&
          setInterval(() => {
            // While the database is away, the answer is unknown.
            void isAllowed().then(
              (mayGoOn) => mayGoOn || end(),
              () => undefined,
            );
          }, checkMs);
        for (const signal of signals) signal.addEventListener('abort', () => end(), { once: true });
        if (signals.some(({ aborted }) => aborted)) end();
        void ended.then(() => {
          clearTimeout(timer);
          clearInterval(checks);
          leave();
          closeQuietly(controller);
        });
      },
      cancel: () => end(),
    },
    new CountQueuingStrategy({ highWaterMark: WAITING_FRAMES }),
  );
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
}

function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch {
    // The reader cancelled or stalled: the stream is already closed.
  }
}

/** Server-sent events for one reader. Buffered data stays below a limit; nothing is ever dropped. */
import { isAppError } from '#domain/errors/app-error.ts';
import type { Logger } from '../../telemetry/log.ts';
import { errorBody, errorResponse, isOurFault } from '../calls/http-errors.ts';

export interface ServerEvent {
  /** Absent for an unnamed message, which `onmessage` receives. */
  event?: string;
  /** The client returns it as Last-Event-ID. */
  id?: string;
  /** Sent as JSON on one line. */
  data: unknown;
}

export interface EventStreamOptions {
  log: Logger;
  /** How often a comment is sent, so that no proxy considers the connection dead. */
  heartbeatMs?: number;
  /** Bytes that may be buffered for the reader before the source has to wait. */
  ceilingBytes?: number;
  /** A reader that takes nothing for this long while the buffer is full is disconnected. */
  stallMs?: number;
  /** Also ends the stream, because the server is stopping; the reader may still be connected. */
  stopping?: AbortSignal | undefined;
}

const HEARTBEAT_MS = 10_000;
const CEILING_BYTES = 64 * 1024;
const STALL_MS = 15_000;
/** Readers of a stopping server reconnect to another one within this time. */
const RESUME_MS = 1000;
const encoder = new TextEncoder();

/** @param makeEvents its `finally` always runs; an error ends the stream with an unnamed message `{error, code}` */
export function eventStream(
  request: Request,
  makeEvents: (signal: AbortSignal) => AsyncIterable<ServerEvent>,
  options: EventStreamOptions,
): Response {
  const left = new AbortController();
  const signals = [left.signal, request.signal, ...(options.stopping ? [options.stopping] : [])];
  const signal = AbortSignal.any(signals);
  let onRoom: (() => void) | null = null;

  async function pump(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const send = (text: string) => controller.enqueue(encoder.encode(text));
    const hasRoom = () => (controller.desiredSize ?? 0) > 0;
    const heartbeat = setInterval(() => {
      if (!signal.aborted && hasRoom()) send(': still here\n\n');
    }, options.heartbeatMs ?? HEARTBEAT_MS);
    try {
      for await (const event of makeEvents(signal)) {
        if (signal.aborted) break;
        send(encodeEvent(event));
        if (hasRoom() || (await roomWithin(options.stallMs ?? STALL_MS))) continue;
        left.abort();
        // Closing would hold the buffer, and the socket, for as long as the reader stalls.
        controller.error(new Error('the client of an event stream stalled'));
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isOurFault(error)) options.log.error({ err: error }, 'event stream failed');
      send(encodeEvent({ data: isAppError(error) ? errorBody(error) : await errorResponse(error).json() }));
    } finally {
      clearInterval(heartbeat);
      const isLeft = left.signal.aborted || request.signal.aborted;
      if (options.stopping?.aborted && !isLeft) sendRetry(controller);
      closeQuietly(controller);
    }
  }

  function roomWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (isRoom: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        onRoom = null;
        resolve(isRoom);
      };
      const onAbort = () => finish(false);
      const timer = setTimeout(() => finish(false), ms);
      signal.addEventListener('abort', onAbort, { once: true });
      onRoom = () => finish(true);
      if (signal.aborted) finish(false);
    });
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => void pump(controller),
      pull: () => onRoom?.(),
      cancel: () => left.abort(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: options.ceilingBytes ?? CEILING_BYTES }),
  );
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
}

/** One event in the wire format. Ids and names contain no line breaks, because clients never supply them. */
export function encodeEvent(event: ServerEvent): string {
  const name = event.event === undefined ? '' : `event: ${event.event}\n`;
  const id = event.id === undefined ? '' : `id: ${event.id}\n`;
  return `${name}${id}data: ${JSON.stringify(event.data)}\n\n`;
}

/** The reader resumes after its last id; random delays keep readers from reconnecting all at the same time. */
function sendRetry(controller: ReadableStreamDefaultController<Uint8Array>): void {
  const retryMs = Math.round(RESUME_MS * (0.2 + 0.8 * Math.random()));
  try {
    controller.enqueue(encoder.encode(`: this server is stopping, continue after the last id\nretry: ${retryMs}\n\n`));
  } catch {
    // The stream broke while the server stopped, so no reader is left.
  }
}

function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch {
    // The reader cancelled or stalled: the stream is already closed.
  }
}

/** Server-sent events read with fetch, because the browser's own EventSource cannot send a bearer token. */
import { createParser } from 'eventsource-parser';
import { CallError, refusedCall } from './call-error.ts';
import { type Patience, retryingFetch } from './shed-retry.ts';

export interface StreamedEvent {
  /** The id of this event, or by the format the last one before it; null if there was none. */
  id: string | null;
  /** 'message' if the server named none. */
  event: string;
  data: string;
}

export interface EventStreamRequest {
  token: string | null;
  lastEventId?: string | null;
  signal: AbortSignal;
  /** How long to retry an overloaded server before the stream opens. */
  patience?: Patience | undefined;
}

/**
 * Returns when the server ends the stream.
 * @throws CallError if refused or the connection is lost; DOMException AbortError if `signal` aborts
 */
export async function* readEventStream(url: string, options: EventStreamRequest): AsyncGenerator<StreamedEvent> {
  const response = await open(url, options);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) throw new CallError('stream/lost', LOST, 0);
  let lastId: string | null = null;
  const arrived: StreamedEvent[] = [];
  const parser = createParser({
    onId: (id) => {
      lastId = id;
    },
    onEvent: ({ event = 'message', data }) => arrived.push({ id: lastId, event, data }),
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(value);
      yield* arrived.splice(0);
    }
  } catch (error) {
    options.signal.throwIfAborted();
    throw new CallError('stream/lost', LOST, 0, error);
  } finally {
    // Ends the download if the consumer stops early; a body that already failed needs no cancel.
    reader.cancel().catch(() => undefined);
  }
}

const LOST = 'The connection was lost.';

async function open(url: string, { token, lastEventId, signal, patience }: EventStreamRequest): Promise<Response> {
  const headers = new Headers({ accept: 'text/event-stream' });
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (lastEventId != null) headers.set('last-event-id', lastEventId);
  const response = await retryingFetch(url, { headers, signal, cache: 'no-store' }, patience).catch(
    (error: unknown) => {
      signal.throwIfAborted();
      throw new CallError('stream/lost', LOST, 0, error);
    },
  );
  const isEventStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (!response.ok || !isEventStream) throw await refusedCall(response, REFUSED);
  return response;
}

const REFUSED = { code: 'stream/refused', message: 'We couldn’t open the stream.' };

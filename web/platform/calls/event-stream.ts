/**
 * Server-sent events read with fetch, because the browser's own EventSource cannot send a bearer token. The server sets
 * the ids; a resume sends the last one back.
 */
import { CallError, refusedCall } from './call-error.ts';
import { type Patience, retryingFetch } from './shed-retry.ts';

export interface ServerEvent {
  /** The id of this event, or by the format the last one before it; null if there was none. */
  id: string | null;
  /** 'message' if the server named none. */
  event: string;
  data: string;
}

export interface EventStreamOptions {
  token: string | null;
  /** Resumes after this event. */
  lastEventId?: string | null;
  signal: AbortSignal;
  /** How long to retry an overloaded server before the stream opens. */
  patience?: Patience | undefined;
}

/**
 * Yields each event as it arrives and returns when the server ends the stream.
 * @throws CallError if the answer is a refusal or the connection is lost
 * @throws DOMException AbortError if `signal` aborts
 */
export async function* readEventStream(url: string, options: EventStreamOptions): AsyncGenerator<ServerEvent> {
  const response = await open(url, options);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) throw new CallError('stream/lost', LOST, 0);
  const parser = createEventParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* parser.push(value);
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

async function open(url: string, { token, lastEventId, signal, patience }: EventStreamOptions): Promise<Response> {
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

const REFUSED = { code: 'stream/refused', message: 'The stream could not be opened.' };

export interface EventParser {
  /** Takes the next chunk of text, cut anywhere; returns the events it completed. */
  push(text: string): ServerEvent[];
}

/** Parser of the text/event-stream format: LF, CR or CRLF; comments; multi-line data; ids without NUL. */
export function createEventParser(): EventParser {
  let pending = '';
  let endedWithCr = false;
  let isFirst = true;
  let lastId: string | null = null;
  let name = '';
  let data: string[] = [];

  function push(text: string): ServerEvent[] {
    if (text === '') return [];
    let input = text;
    if (isFirst) input = input.replace(/^\uFEFF/, '');
    isFirst = false;
    // A CR at the end of one chunk and an LF at the start of the next are one line end.
    if (endedWithCr && input.startsWith('\n')) input = input.slice(1);
    endedWithCr = text.endsWith('\r');
    const lines = (pending + input).split(/\r\n|\r|\n/);
    pending = lines.pop() ?? '';
    return lines.map(takeLine).filter((event) => event !== null);
  }

  function takeLine(line: string): ServerEvent | null {
    if (line === '') return dispatch();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'event') name = value;
    else if (field === 'id' && !value.includes('\0')) lastId = value;
    // Comments (an empty field name), `retry` and unknown fields are ignored.
    return null;
  }

  function dispatch(): ServerEvent | null {
    const event = data.length === 0 ? null : { id: lastId, event: name || 'message', data: data.join('\n') };
    name = '';
    data = [];
    return event;
  }

  return { push };
}

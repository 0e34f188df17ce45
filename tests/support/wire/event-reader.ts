/**
 * Reads a text/event-stream answer by fetch, as a browser would: events with name, id and parsed data; comments too.
 */
export interface ReadEvent {
  /** `message` if the event has no name. */
  event: string;
  id: string | null;
  data: unknown;
}

export interface EventReader {
  /** The next event, or null at the end. */
  next(): Promise<ReadEvent | null>;
  /** Everything up to the end. */
  rest(): Promise<ReadEvent[]>;
  readonly comments: readonly string[];
}

export function readEvents(response: Response): EventReader {
  if (!response.body) throw new Error('an answer without a body');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const comments: string[] = [];
  let text = '';

  async function next(): Promise<ReadEvent | null> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        const event = parseBlock(block, comments);
        if (event) return event;
        continue;
      }
      const part = await reader.read();
      if (part.done) return null;
      text += part.value;
    }
  }

  async function rest(): Promise<ReadEvent[]> {
    const events: ReadEvent[] = [];
    for (let event = await next(); event; event = await next()) events.push(event);
    return events;
  }

  return { next, rest, comments };
}

function parseBlock(block: string, comments: string[]): ReadEvent | null {
  const event: ReadEvent = { event: 'message', id: null, data: null };
  let hasData = false;
  for (const line of block.split('\n')) {
    const [, field = '', value = ''] = /^([a-z]*): ?(.*)$/.exec(line) ?? [];
    if (field === '') comments.push(value);
    else if (field === 'event') event.event = value;
    else if (field === 'id') event.id = value;
    else if (field === 'data') {
      event.data = JSON.parse(value);
      hasData = true;
    }
  }
  return hasData ? event : null;
}

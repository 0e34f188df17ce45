/** Reads a text/event-stream answer by fetch, as a browser would; comments too. */
import { EventSourceParserStream } from 'eventsource-parser/stream';

export interface ReadEvent {
  /** `message` if the event has no name. */
  event: string;
  id: string | null;
  data: unknown;
}

export interface EventReader {
  next(): Promise<ReadEvent | null>;
  /** Everything up to the end. */
  rest(): Promise<ReadEvent[]>;
  readonly comments: readonly string[];
}

export function readEvents(response: Response): EventReader {
  if (!response.body) throw new Error('an answer without a body');
  const comments: string[] = [];
  const parser = new EventSourceParserStream({ onComment: (comment) => comments.push(comment) });
  const reader = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(parser).getReader();

  async function next(): Promise<ReadEvent | null> {
    const { done, value } = await reader.read();
    return done ? null : { event: value.event ?? 'message', id: value.id ?? null, data: JSON.parse(value.data) };
  }

  async function rest(): Promise<ReadEvent[]> {
    const events: ReadEvent[] = [];
    for (let event = await next(); event; event = await next()) events.push(event);
    return events;
  }

  return { next, rest, comments };
}

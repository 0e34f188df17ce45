/** Server-sent events that continue after a broken connection, with the last event's id. */
export interface KatEvent {
  /** `ready`, `forecast-issued`, `outcome-known`. */
  event: string;
  /** For `after` of a later call. */
  id: string;
  data: Record<string, unknown>;
}

export interface EventSourceParts {
  /** @param last  id of the last event seen */
  open(last: string | null): Promise<Response>;
  after: string | null;
  signal: AbortSignal | undefined;
  refusalOf(response: Response, body: Record<string, unknown>): Error;
  /** Whether it makes no sense to try again. */
  isFinal(error: unknown): boolean;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

export async function* readEvents(parts: EventSourceParts): AsyncGenerator<KatEvent> {
  const { signal, refusalOf, isFinal } = parts;
  let last = parts.after;
  let waitMs = FIRST_WAIT_MS;
  const hasLeft = () => signal?.aborted === true;
  while (!hasLeft()) {
    try {
      const response = await parts.open(last);
      for await (const { event, id, data } of eventsOf(response)) {
        // The server's last message before it ends a stream for good.
        if (event === 'message') throw refusalOf(response, data);
        waitMs = FIRST_WAIT_MS;
        last = id;
        yield { event, id, data };
      }
    } catch (error) {
      if (hasLeft()) return;
      const isRefused = error instanceof Error && 'code' in error && String(error.code).startsWith('api/');
      if (isFinal(error) || isRefused) throw error;
    }
    await pause(waitMs * (0.5 + Math.random() / 2), signal);
    waitMs = Math.min(LONGEST_WAIT_MS, 2 * waitMs);
  }
}

async function* eventsOf(response: Response): AsyncGenerator<KatEvent> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** @returns null for a comment */
function eventOf(block: string): KatEvent | null {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name !== undefined)
      fields.set(name, name === 'data' && fields.has(name) ? `${fields.get(name)}\n${value}` : value);
  }
  const data = fields.get('data');
  if (data === undefined) return null;
  return { event: fields.get('event') ?? 'message', id: fields.get('id') ?? '', data: JSON.parse(data) };
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    }
    signal?.addEventListener('abort', end);
  });
}

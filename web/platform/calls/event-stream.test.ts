import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { CallError } from './call-error.ts';
import { readEventStream, type StreamedEvent } from './event-stream.ts';

function parse(pieces: readonly string[]): Promise<StreamedEvent[]> {
  answer(pieces);
  return collect();
}

function answer(pieces: readonly (string | Error)[], init: ResponseInit = {}): void {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = queue.shift();
      if (piece === undefined) controller.close();
      else if (piece instanceof Error) controller.error(piece);
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
  const queue = [...pieces];
  const response = new Response(body, { headers: { 'content-type': 'text/event-stream' }, ...init });
  vi.stubGlobal('fetch', vi.fn().mockResolvedValue(response));
}

async function collect(options: Partial<Parameters<typeof readEventStream>[1]> = {}): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = [];
  const stream = readEventStream('/s', { token: 'abc', signal: new AbortController().signal, ...options });
  for await (const event of stream) events.push(event);
  return events;
}

afterEach(() => vi.unstubAllGlobals());

test('reads names, ids, several data lines and skips comments', async () => {
  const text =
    ': hello\nid: r:0\nevent: start\ndata: {"a":\ndata: 1}\n\n:\n\ndata:x\n\nid: r:2\nretry: 10\ndata:  y\n\n';

  const events = await parse([text]);

  expect(events).toEqual([
    { id: 'r:0', event: 'start', data: '{"a":\n1}' },
    { id: 'r:0', event: 'message', data: 'x' },
    { id: 'r:2', event: 'message', data: ' y' },
  ]);
});

test('drops an event that the server did not finish', async () => {
  expect(await parse(['data: half\n'])).toEqual([]);
});

test('reads a byte order mark, an empty data field and an id with NUL as the format defines', async () => {
  expect(await parse(['\uFEFFdata\n\n', 'id: a\0b\ndata: z\n\n'])).toEqual([
    { id: null, event: 'message', data: '' },
    { id: null, event: 'message', data: 'z' },
  ]);
});

test('yields the same events for any cutting and any line end', async () => {
  const line = fc.oneof(
    fc.constantFrom('', ': comment', 'data', 'event: start', 'id: 7:3', 'retry: 5', 'data:  two', 'nonsense'),
    fc.string({ maxLength: 12 }).map((s) => `data: ${s.replaceAll(/[\r\n]/g, '')}`),
  );
  const ending = fc.constantFrom('\n', '\r', '\r\n');
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 30 }),
      ending,
      fc.array(fc.nat(400), { maxLength: 20 }),
      async (lines, end, at) => {
        const text = lines.map((l) => l + end).join('');
        const cuts = [0, ...at.filter((n) => n < text.length).sort((a, b) => a - b), text.length];
        const pieces = cuts.slice(1).map((cut, i) => text.slice(cuts[i], cut));

        expect(await parse(pieces)).toEqual(await parse([lines.map((l) => `${l}\n`).join('')]));
      },
    ),
  );
});

test('sends the token and the last event id, and yields events split inside a character', async () => {
  const bytes = new TextEncoder().encode('data: 80% – ok\n\n');
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
      controller.close();
    },
  });
  const fetchMock = vi.fn().mockResolvedValue(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  vi.stubGlobal('fetch', fetchMock);

  const events = await collect({ lastEventId: 'r:4' });

  expect(events).toEqual([{ id: null, event: 'message', data: '80% – ok' }]);
  const headers = fetchMock.mock.calls[0]?.[1].headers as Headers;
  expect([headers.get('authorization'), headers.get('last-event-id')]).toEqual(['Bearer abc', 'r:4']);
});

test('throws a refusal with the code, the message and the status of the answer', async () => {
  const refusal = Response.json(
    { error: 'This model is not trained yet.', code: 'forecast/not-trained' },
    { status: 503 },
  );
  vi.stubGlobal('fetch', vi.fn().mockResolvedValue(refusal));

  const error = await collect().catch((e: unknown) => e);

  expect(error).toBeInstanceOf(CallError);
  expect(error).toMatchObject({ code: 'forecast/not-trained', message: 'This model is not trained yet.', status: 503 });
});

test('throws a refusal for a page instead of a stream', async () => {
  answer(['<html>'], { headers: { 'content-type': 'text/html' } });

  await expect(collect()).rejects.toMatchObject({ code: 'stream/refused' });
});

test('reports a connection that breaks off, or never opens, as lost', async () => {
  answer(['data: 1\n\n', new TypeError('network error')]);
  await expect(collect()).rejects.toMatchObject({ code: 'stream/lost', status: 0 });

  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('Failed to fetch')));
  await expect(collect()).rejects.toMatchObject({ code: 'stream/lost' });
});

test('reports an abort as an abort, not as a lost connection', async () => {
  const controller = new AbortController();
  const pending = (_url: string, init: { signal: AbortSignal }) =>
    new Promise((_resolve, reject) => init.signal.addEventListener('abort', () => reject(init.signal.reason)));
  vi.stubGlobal('fetch', vi.fn(pending));

  const reading = collect({ signal: controller.signal });
  controller.abort();

  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
});

test('waits for room as long as the caller is patient, then reads the stream', async () => {
  vi.useFakeTimers();
  const shed = () => new Response('', { status: 503, headers: { 'x-kat-shed': '1', 'retry-after': '10' } });
  answer(['id: r:1\ndata: x\n\n']);
  vi.mocked(fetch).mockResolvedValueOnce(shed()).mockResolvedValueOnce(shed());
  const onWait = vi.fn();
  const events = collect({ patience: { untilMs: performance.now() + 60_000, onWait } });

  await vi.advanceTimersByTimeAsync(30_000);

  expect(await events).toHaveLength(1);
  expect(onWait).toHaveBeenCalledOnce();
  vi.useRealTimers();
});

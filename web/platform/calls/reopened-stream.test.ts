import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RECONNECT_FIRST_MS, RECONNECT_MAX_MS } from '#domain/time/backoff.ts';
import { CallError } from './call-error.ts';
import { reopenedStream, SILENCE_MS } from './reopened-stream.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
});

/** What a connection does: sends texts, then fails, ends, or stays open in silence. */
type Connection = (string | Error | 'silence')[];

/** Follows connections one after the other; the last one is repeated. */
function follow(...connections: Connection[]) {
  const abort = new AbortController();
  const seen = { events: [] as string[], opened: 0, lost: 0, failure: null as unknown };
  async function* open(signal: AbortSignal) {
    const steps = connections[Math.min(seen.opened, connections.length - 1)] ?? [];
    seen.opened += 1;
    for (const step of steps) {
      if (step instanceof Error) throw step;
      if (step === 'silence') await new Promise((_, reject) => signal.addEventListener('abort', reject));
      yield step as string;
    }
  }
  const done = (async () => {
    const onLost = () => {
      seen.lost += 1;
    };
    for await (const event of reopenedStream(open, abort.signal, onLost)) seen.events.push(event);
  })().catch((error: unknown) => {
    seen.failure = error;
  });
  return { seen, abort, done };
}

test('opens a stream again that ends or fails, after growing delays', async () => {
  const { seen, abort, done } = follow([new CallError('stream/lost', 'Lost.', 0)]);
  await vi.advanceTimersByTimeAsync(0);
  expect([seen.opened, seen.lost]).toEqual([1, 1]);

  await vi.advanceTimersByTimeAsync(RECONNECT_FIRST_MS);
  expect(seen.opened).toBe(2);
  await vi.advanceTimersByTimeAsync(RECONNECT_FIRST_MS);
  expect(seen.opened).toBe(2);
  await vi.advanceTimersByTimeAsync(RECONNECT_FIRST_MS);
  expect(seen.opened).toBe(3);
  await vi.advanceTimersByTimeAsync(10 * RECONNECT_MAX_MS);
  expect(seen.opened).toBeLessThan(15);

  abort.abort();
  await done;
  expect(seen.failure).toBeNull();
});

test('starts the delays over after an event', async () => {
  const lost = new CallError('stream/lost', 'Lost.', 0);
  const { seen, abort, done } = follow([lost], [lost], ['a', lost], ['b', 'silence']);
  await vi.advanceTimersByTimeAsync(3 * RECONNECT_FIRST_MS);
  expect(seen).toMatchObject({ opened: 3, events: ['a'] });

  await vi.advanceTimersByTimeAsync(RECONNECT_FIRST_MS);

  expect(seen).toMatchObject({ opened: 4, events: ['a', 'b'] });
  abort.abort();
  await done;
});

test('opens a connection again that brings nothing for 20 seconds', async () => {
  const { seen, abort, done } = follow(['a', 'silence'], ['b', 'silence']);
  await vi.advanceTimersByTimeAsync(SILENCE_MS - 1);
  expect(seen).toMatchObject({ opened: 1, lost: 0 });

  await vi.advanceTimersByTimeAsync(1 + RECONNECT_FIRST_MS);

  expect(seen).toMatchObject({ opened: 2, lost: 1, events: ['a', 'b'] });
  abort.abort();
  await done;
});

test('gives up when the server refuses, but not when it is busy or restarts', async () => {
  const busy = new CallError('request/too-many', 'Too many.', 429);
  const restarting = new CallError('unknown', 'Bad gateway.', 502);
  const refused = new CallError('forecast/model-locked', 'Your plan does not include this model.', 403);
  const { seen, done } = follow([busy], [restarting], [refused]);

  await vi.advanceTimersByTimeAsync(10 * RECONNECT_MAX_MS);
  await done;

  expect(seen).toMatchObject({ opened: 3, lost: 2, failure: refused });
});

test('opens nothing more once it is aborted', async () => {
  const { seen, abort, done } = follow([]);
  await vi.advanceTimersByTimeAsync(0);

  abort.abort();
  await done;
  await vi.advanceTimersByTimeAsync(10 * RECONNECT_MAX_MS);

  expect(seen).toMatchObject({ opened: 1, failure: null });
});

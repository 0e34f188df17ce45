/** What each kind of call does when an overloaded server sheds it. */
import { beforeEach, expect, test, vi } from 'vitest';
import { callFunction } from './calls/functions.ts';
import { supabase, tables } from './supabase.ts';
import { aSession, type FakeBackend, fakeBackend, json } from './testing/fake-backend.ts';

let backend: FakeBackend;
beforeEach(() => {
  backend = fakeBackend();
  vi.useFakeTimers();
});

/** Sheds a request so many times, then answers it. */
function shedding(route: string, times: number, body: object, answer: () => Response): void {
  let left = times;
  backend.on(route, () => {
    left -= 1;
    if (left < 0) return answer();
    return Response.json(body, { status: 503, headers: { 'x-kat-shed': '1', 'retry-after': '1' } });
  });
}

/** Lets the seconds pass until a call has ended. Code that it loads arrives in real time. */
async function outcome<T>(call: Promise<T>): Promise<T> {
  let isOver = false;
  const ended = call.finally(() => {
    isOver = true;
  });
  ended.catch(() => undefined);
  while (!isOver) {
    await vi.advanceTimersByTimeAsync(100);
    await new Promise((resolve) => realTimeout(resolve, 0));
  }
  return ended;
}
const realTimeout = globalThis.setTimeout;

const BODY = { session_id: 'a' };
const BUSY = { code: 'server/busy', error: 'Kat is busy right now.', message: 'Kat is busy right now.' };

test('sends a server function again with its body', async () => {
  shedding('POST /functions/v1/end-session', 2, BUSY, () => json({ ok: true }));

  expect(await outcome(callFunction('end-session', BODY))).toEqual({ ok: true });

  expect(backend.to('/functions/v1/end-session').map(({ body }) => body)).toEqual([BODY, BODY, BODY]);
});

test("reports the server's own message when a function stays shed", async () => {
  shedding('POST /functions/v1/end-session', 9, BUSY, () => json({}));

  await expect(outcome(callFunction('end-session', BODY))).rejects.toMatchObject({ code: 'server/busy', status: 503 });

  expect(backend.to('/functions/v1/end-session')).toHaveLength(4);
});

test('sends a read of a table four times in all: the library of tables adds no retries to ours', async () => {
  shedding('GET /rest/v1/news', 99, BUSY, () => json([]));

  const { error } = await outcome(tables().then(({ from }) => from('news').select('*')));

  expect(error).toMatchObject({ code: 'server/busy', message: 'Kat is busy right now.' });
  expect(backend.to('/rest/v1/news')).toHaveLength(4);
});

test('leaves a table that answers 503 without being shed to the library', async () => {
  backend.on('GET /rest/v1/news', () => json({ code: 'database/busy', message: 'x' }, 503));

  await outcome(tables().then(({ from }) => from('news').select('*')));

  expect(backend.to('/rest/v1/news')).toHaveLength(4);
});

test('signs in once there is room', async () => {
  shedding('POST /auth/v1/token', 1, { code: 503, error_code: 'server_busy', msg: 'Kat is busy.' }, () =>
    json(aSession()),
  );

  const { error } = await outcome(
    supabase().then(({ auth }) => auth.signInWithPassword({ email: 'ada@example.com', password: 'Password1' })),
  );

  expect(error).toBeNull();
  expect(backend.to('/auth/v1/token')).toHaveLength(2);
});

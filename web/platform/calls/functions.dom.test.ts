import { expect, test } from 'vitest';
import { fakeBackend, json, storeSession } from '../testing/fake-backend.ts';
import { callFunction } from './functions.ts';

test("sends the caller's bearer token, and returns a refusal in a 200 body unchanged", async () => {
  const backend = fakeBackend();
  storeSession();
  backend.on('POST /functions/v1/end-session', () => json({ ok: false, reason: 'No predictions left today.' }));

  const answer = await callFunction('end-session', { session_id: 'a' });

  const [request] = backend.to('/functions/v1/end-session');
  expect(answer).toEqual({ ok: false, reason: 'No predictions left today.' });
  expect(request?.headers.get('authorization')).toMatch(/^Bearer ey/);
  expect(request?.body).toEqual({ session_id: 'a' });
});

test('throws a CallError with the server’s code and message for an error status', async () => {
  const backend = fakeBackend();
  backend.on('POST /functions/v1/get-quota', () => json({ error: 'Not signed in', code: 'auth/not-signed-in' }, 401));

  const call = callFunction('get-quota', undefined);

  await expect(call).rejects.toMatchObject({ code: 'auth/not-signed-in', message: 'Not signed in', status: 401 });
});

test('shows the message of a refusal, not the code beside it', async () => {
  const backend = fakeBackend();
  const refusal = { ok: false, reason: 'quota/daily-spent', message: 'No predictions left today.' };
  backend.on('POST /functions/v1/get-quota', () => json(refusal, 409));

  const call = callFunction('get-quota', {});

  await expect(call).rejects.toMatchObject({ message: 'No predictions left today.', status: 409 });
});

test('distinguishes a proxy’s HTML page from a dead line', async () => {
  const backend = fakeBackend();
  backend.on('POST /functions/v1/get-quota', () => new Response('<html>', { status: 502 }));
  backend.on('POST /functions/v1/list-sessions', () => Promise.reject(new TypeError('offline')));

  await expect(callFunction('get-quota', {})).rejects.toMatchObject({ code: 'unknown', status: 502 });
  await expect(callFunction('list-sessions', {})).rejects.toMatchObject({ code: 'network', status: 0 });
});

import { expect, test } from 'vitest';
import { fakeBackend, json, storeSession } from '../testing/fake-backend.ts';
import { callFunction } from './functions.ts';

test("sends the caller's bearer token, and returns a refusal in a 200 body unchanged", async () => {
  const backend = fakeBackend();
  storeSession();
  backend.on('POST /functions/v1/create-prediction', () => json({ ok: false, reason: 'No predictions left today.' }));

  const answer = await callFunction('create-prediction', { model: 'kat1' });

  const [request] = backend.to('/functions/v1/create-prediction');
  expect(answer).toEqual({ ok: false, reason: 'No predictions left today.' });
  expect(request?.headers.get('authorization')).toMatch(/^Bearer ey/);
  expect(request?.body).toEqual({ model: 'kat1' });
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
  backend.on('POST /functions/v1/create-prediction', () => json(refusal, 409));

  const call = callFunction('create-prediction', {});

  await expect(call).rejects.toMatchObject({ message: 'No predictions left today.', status: 409 });
});

test('distinguishes a proxy’s HTML page from a dead line', async () => {
  const backend = fakeBackend();
  backend.on('POST /functions/v1/a', () => new Response('<html>', { status: 502 }));
  backend.on('POST /functions/v1/b', () => Promise.reject(new TypeError('offline')));

  await expect(callFunction('a', {})).rejects.toMatchObject({ code: 'unknown', status: 502 });
  await expect(callFunction('b', {})).rejects.toMatchObject({ code: 'network', status: 0 });
});

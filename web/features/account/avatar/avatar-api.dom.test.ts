/** Storing an avatar: sent, looked at, saved, the one before removed; and what is left of it when something fails. */
import { beforeEach, expect, test, vi } from 'vitest';
import { type FakeBackend, fakeBackend, json, storeSession, USER } from '../../../platform/testing/fake-backend.ts';
import { FakeUpload } from '../testing/fake-upload.ts';
import { removeAvatar, storeAvatar } from './avatar-api.ts';

const PICTURE = new Blob(['picture'], { type: 'image/webp' });
const OLD = `http://localhost:3000/storage/v1/object/public/avatars/${USER.id}/1.webp`;
const ROW = { id: USER.id, role: 'user', full_name: 'Ada', avatar_url: OLD };

let backend: FakeBackend;
let served = 200;
let names: string[] = [];

beforeEach(() => {
  FakeUpload.install();
  backend = fakeBackend();
  served = 200;
  names = [];
  backend.on('PATCH /rest/v1/profiles', ({ body }) => json({ ...ROW, ...(body as object) }));
  backend.on('DELETE /storage/v1/object/avatars', ({ body }) => {
    names.push(...(body as { prefixes: string[] }).prefixes);
    return json([]);
  });
  vi.spyOn(Date, 'now').mockReturnValue(1_763_700_000_000);
  backend.on(
    `HEAD /storage/v1/object/public/avatars/${USER.id}/1763700000000.webp`,
    () => new Response(null, { status: served }),
  );
  storeSession();
});

function store(signal = new AbortController().signal, onProgress = vi.fn()) {
  return storeAvatar(USER.id, PICTURE, OLD, { signal, onProgress });
}
const patches = () => backend.to('/rest/v1/profiles').filter(({ method }) => method === 'PATCH');
const NEW = OLD.replace('/1.webp', '/1763700000000.webp');

test('uploads a picture to the user’s folder under its moment, may replace it, and writes its address to the profile', async () => {
  const onProgress = vi.fn();
  FakeUpload.answer = (upload) => {
    upload.upload.onprogress?.({ loaded: 3, total: 7 });
    upload.finish(200);
  };

  const stored = await store(undefined, onProgress);

  expect(FakeUpload.last).toMatchObject({
    method: 'POST',
    url: `http://localhost:3000/storage/v1/object/avatars/${USER.id}/1763700000000.webp`,
    headers: { 'content-type': 'image/webp', 'x-upsert': 'true', apikey: 'anon-key' },
  });
  expect(FakeUpload.last?.headers.authorization).toMatch(/^Bearer .+\..+/);
  expect(onProgress).toHaveBeenCalledWith(3, 7);
  expect(patches()[0]?.body).toMatchObject({ avatar_url: NEW });
  expect(stored).toMatchObject({ kind: 'saved', profile: { avatar_url: NEW } });
  await vi.waitFor(() => expect(names).toEqual([`${USER.id}/1.webp`]));
});

test.each([
  ['a refusal', (upload: FakeUpload) => upload.finish(400, '{"message":"The picture is damaged"}'), 'rejected'],
  ['too many', (upload: FakeUpload) => upload.finish(429), 'wait a moment'],
  [
    'a budget that is used up',
    (upload: FakeUpload) =>
      upload.finish(429, '{"code":"BudgetExceeded","message":"The file was not stored. Please try again in 5 hours."}'),
    'try again in 5 hours',
  ],
  ['a busy server', (upload: FakeUpload) => upload.finish(503), 'is busy'],
  ['no connection', (upload: FakeUpload) => upload.onerror?.(), 'couldn’t reach'],
] as const)('shows the specified text for %s, and leaves the profile unchanged', async (_what, answer, message) => {
  FakeUpload.answer = answer;

  const stored = await store();

  expect(stored).toMatchObject({
    kind: 'failed',
    toast: 'Avatar upload failed',
    message: expect.stringContaining(message),
  });
  expect(patches()).toEqual([]);
  expect(names).toEqual([]);
});

test('removes an uploaded picture that is not served', async () => {
  served = 404;

  expect(await store()).toMatchObject({ kind: 'failed', toast: 'Could not get avatar URL' });
  expect(patches()).toEqual([]);
  await vi.waitFor(() => expect(names).toEqual([`${USER.id}/1763700000000.webp`]));
});

test('keeps the old picture when the profile refuses the address, and removes the new one', async () => {
  backend.on('PATCH /rest/v1/profiles', () => json({ message: 'no' }, 400));

  expect(await store()).toMatchObject({ kind: 'failed', toast: 'Failed to update profile' });
  await vi.waitFor(() => expect(names).toEqual([`${USER.id}/1763700000000.webp`]));
});

test('keeps both pictures when it is unknown whether the profile has the new address', async () => {
  backend.on('PATCH /rest/v1/profiles', () => Promise.reject(new TypeError('Failed to fetch')));

  expect(await store()).toMatchObject({ kind: 'failed', toast: 'Failed to update profile' });
  expect(names).toEqual([]);
});

test('changes nothing when cancelled in the middle, and removes what may have arrived', async () => {
  const controller = new AbortController();
  FakeUpload.answer = () => controller.abort();

  expect(await store(controller.signal)).toEqual({ kind: 'cancelled' });
  expect(patches()).toEqual([]);
  await vi.waitFor(() => expect(names).toEqual([`${USER.id}/1763700000000.webp`]));
});

test('removes the address first, then the picture', async () => {
  expect(await removeAvatar(USER.id, OLD)).toMatchObject({ kind: 'saved', profile: { avatar_url: null } });

  expect(patches()[0]?.body).toMatchObject({ avatar_url: null });
  await vi.waitFor(() => expect(names).toEqual([`${USER.id}/1.webp`]));
});

test('forgets an address elsewhere, and removes nothing for it', async () => {
  await removeAvatar(USER.id, 'https://pictures.example/me.png');

  expect(names).toEqual([]);
});

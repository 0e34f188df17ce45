/** Uploads as forms, whole and broken, and how often one user may send them. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { plainPicture } from '../support/browser/pictures.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { backendTestServer } from './support/backend.ts';
import { formBytes, storageCalls } from './support/data/storage.ts';

const FILE = 'content-disposition: form-data; name=""; filename="blob"\r\ncontent-type: image/png';
const field = (name: string) => `content-disposition: form-data; name="${name}"`;
const BOUNDARY = '----kat-form-0123456789';
const FORM_TYPE = { 'content-type': 'multipart/form-data; boundary=----kat-form-0123456789' };

describeOneDatabase('an upload as a form', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { signedIn, call, storedNames } = storageCalls(server);

  test('stores its fields from before or after the file', async () => {
    const { avatars, id, accessToken } = await signedIn();
    const picture = await plainPicture('png', 8);
    const fields: [string, string][] = [
      [field('cacheControl'), '120'],
      [field('metadata'), '{"camera": {"make": "none"}}'],
    ];

    const first = await call(
      'POST',
      `object/avatars/${id}/1.png`,
      accessToken,
      formBytes(BOUNDARY, [...fields, [FILE, picture]]),
      FORM_TYPE,
    );
    const last = await call(
      'POST',
      `object/avatars/${id}/2.png`,
      accessToken,
      formBytes(BOUNDARY, [[FILE, picture], ...fields]),
      FORM_TYPE,
    );

    expect([first.status, last.status]).toEqual([200, 200]);
    for (const name of ['1.png', '2.png'])
      expect((await avatars.info(`${id}/${name}`)).data).toMatchObject({
        cacheControl: 'max-age=120',
        metadata: { camera: { make: 'none' } },
      });
  });

  test('accepts the fields as headers with a raw body', async () => {
    const { avatars, id } = await signedIn();

    await avatars.upload(`${id}/1.png`, await plainPicture('png', 8), { cacheControl: '7', metadata: { a: 'ä' } });
    await avatars.upload(`${id}/2.png`, await plainPicture('png', 8), { cacheControl: 'x\u00e4;drop' });

    expect((await avatars.info(`${id}/1.png`)).data).toMatchObject({ cacheControl: 'max-age=7', metadata: { a: 'ä' } });
    expect((await avatars.info(`${id}/2.png`)).data).toMatchObject({ cacheControl: 'no-cache' });
  });

  const METADATA = 'The metadata must be a JSON object of at most 4096 bytes';
  type Body = (picture: Buffer<ArrayBuffer>) => Buffer<ArrayBuffer>;
  test.each<[string, string, Body, string?]>([
    [
      'without a boundary',
      'The form has no boundary',
      (picture) => formBytes(BOUNDARY, [[FILE, picture]]),
      'multipart/form-data',
    ],
    [
      'with another boundary',
      'The form is not valid',
      (picture) => formBytes('----another-boundary', [[FILE, picture]]),
    ],
    [
      'cut off in the file',
      'The form is not valid',
      (picture) => formBytes(BOUNDARY, [[FILE, picture]]).subarray(0, 120),
    ],
    [
      'cut off in a header',
      'The form is not valid',
      (picture) => formBytes(BOUNDARY, [[FILE, picture]]).subarray(0, 40),
    ],
    [
      'with two files',
      'The form must contain exactly one file',
      (picture) =>
        formBytes(BOUNDARY, [
          [FILE, picture],
          [FILE, picture],
        ]),
    ],
    [
      'without a file',
      'The form must contain exactly one file',
      () => formBytes(BOUNDARY, [[field('cacheControl'), '60']]),
    ],
    ['with nothing', 'The form is not valid', () => Buffer.alloc(0)],
    ['with an empty file', 'No content provided', () => formBytes(BOUNDARY, [[FILE, '']])],
    [
      'with metadata that is no JSON',
      METADATA,
      (picture) =>
        formBytes(BOUNDARY, [
          [field('metadata'), '{'],
          [FILE, picture],
        ]),
    ],
    [
      'with metadata that is a list',
      METADATA,
      (picture) =>
        formBytes(BOUNDARY, [
          [field('metadata'), '[]'],
          [FILE, picture],
        ]),
    ],
    [
      'with metadata beyond 4 KiB',
      METADATA,
      (picture) =>
        formBytes(BOUNDARY, [
          [field('metadata'), `{"a": "${'x'.repeat(4096)}"}`],
          [FILE, picture],
        ]),
    ],
    [
      'with metadata nested without end',
      METADATA,
      (picture) =>
        formBytes(BOUNDARY, [
          [field('metadata'), `{"a": ${'['.repeat(1000)}${']'.repeat(1000)}}`],
          [FILE, picture],
        ]),
    ],
    [
      'with a NUL in the metadata',
      METADATA,
      (picture) =>
        formBytes(BOUNDARY, [
          [field('metadata'), '{"a": "\\u0000"}'],
          [FILE, picture],
        ]),
    ],
    [
      'with half a surrogate pair in the metadata',
      'A value is not valid',
      (picture) =>
        formBytes(BOUNDARY, [
          [field('metadata'), '{"a": "\\ud800"}'],
          [FILE, picture],
        ]),
    ],
    [
      'with a field of 5 MiB in the file’s place',
      'The form must contain exactly one file',
      () => formBytes(BOUNDARY, [[field(''), 'x'.repeat(5 * 1024 * 1024)]]),
    ],
    [
      'with ten thousand parts',
      'The form has too many parts',
      (picture) =>
        formBytes(BOUNDARY, [
          ...Array.from({ length: 10_000 }, () => [field('a'), ''] as [string, string]),
          [FILE, picture],
        ]),
    ],
  ])('is refused if sent %s', async (_what, message, bodyOf, type) => {
    const { id, accessToken } = await signedIn();
    const before = await storedNames();
    const body = bodyOf(await plainPicture('png', 8));

    const refused = await call(
      'POST',
      `object/avatars/${id}/1.png`,
      accessToken,
      body,
      type === undefined ? FORM_TYPE : { 'content-type': type },
    );

    expect(refused).toMatchObject({ status: 400, body: { statusCode: '400', code: 'InvalidRequest', message } });
    expect(await storedNames()).toEqual(before);
  });
});

describeOneDatabase('an interrupted upload', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { signedIn, storedNames } = storageCalls(server);

  test('leaves nothing behind, and frees its place', async () => {
    const { avatars, id, accessToken } = await signedIn();
    const before = await storedNames();

    for (let turn = 0; turn < 6; turn += 1) await breakOff(`/storage/v1/object/avatars/${id}/1.png`, accessToken);

    expect(await storedNames()).toEqual(before);
    await vi.waitFor(async () =>
      expect((await avatars.upload(`${id}/2.png`, await plainPicture('png', 8))).error).toBeNull(),
    );
  });

  /** Announces 5000 bytes, sends ten and disconnects. */
  async function breakOff(path: string, token: string): Promise<void> {
    const socket = connect(Number(new URL(server().url).port), '127.0.0.1');
    await once(socket, 'connect');
    const head = [
      'content-type: image/png',
      'content-length: 5000',
      `authorization: Bearer ${token}`,
      'host: 127.0.0.1',
    ];
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n0123456789`);
    await sleep(100);
    socket.destroy();
  }
});

describeOneDatabase('too many uploads', (kind) => {
  const server = openedForTests(() => backendTestServer(kind, { limits: { uploadsPerUser: { points: 3, perS: 60 } } }));
  const { signedIn } = storageCalls(server);

  test('are refused for this user alone', async () => {
    const ada = await signedIn();
    const bob = await signedIn();
    const picture = await plainPicture('png', 8);
    const upload = async (user: typeof ada, name: number) =>
      (await user.avatars.upload(`${user.id}/${name}.png`, picture)).error;

    const within = [await upload(ada, 1), await upload(ada, 2), await upload(ada, 3)];
    const beyond = await upload(ada, 4);
    const other = await upload(bob, 1);

    expect(within).toEqual([null, null, null]);
    expect(beyond).toMatchObject({ status: 429, statusCode: '429', message: 'Too many requests' });
    expect(other).toBeNull();
  });

  test('are refused once a user has a hundred files', async () => {
    const { id, avatars, client } = await signedIn();
    await server().database.query(
      { role: 'owner', claims: null },
      `insert into storage.objects (bucket_id, name, owner_id, version)
       select 'avatars', $1::text || '/' || n || '.png', $1::text, gen_random_uuid()::text from generate_series(1, 100) n`,
      [id],
    );

    const full = await avatars.upload(`${id}/new.png`, await plainPicture('png', 8));

    expect(full.error).toMatchObject({ statusCode: '409', code: 'MaximumObjectsLimit' });
    expect((await client.storage.from('avatars').list(id)).data).toHaveLength(100);
  });
});

/**
 * What the storage service refuses: other users' folders, names that lead elsewhere, and files that are no pictures.
 */
import { expect, test } from 'vitest';
import { bombPng, photograph, plainPicture } from '../support/browser/pictures.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { backendTestServer, JSON_TYPE } from './support/backend.ts';
import { storageCalls } from './support/data/storage.ts';

describeOneDatabase('the storage service', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { signedIn, call, storedNames } = storageCalls(server);

  test('refuses a visitor, another user and a signed-out session', async () => {
    const ada = await signedIn();
    const bob = await signedIn();
    const path = `${ada.id}/1.png`;
    await ada.avatars.upload(path, await plainPicture('png', 8));
    const visitor = server().visitor().storage.from('avatars');
    const picture = await plainPicture('png', 9);

    for (const stranger of [visitor, bob.avatars]) {
      const refused = await stranger.upload(`${ada.id}/2.png`, picture);
      const replaced = await stranger.upload(path, picture, { upsert: true });
      const updated = await stranger.update(path, picture);
      for (const { error } of [refused, replaced, updated])
        expect(error).toMatchObject({ statusCode: '403', message: 'new row violates row-level security policy' });
      expect((await stranger.download(path)).error).not.toBeNull();
      expect((await stranger.info(path)).error).toMatchObject({ statusCode: '404', code: 'NoSuchKey' });
      expect((await stranger.list(ada.id)).data).toEqual([]);
      expect((await stranger.remove([path])).data).toEqual([]);
    }
    await bob.client.auth.signOut();
    const ended = await call('POST', `object/avatars/${bob.id}/1.png`, bob.accessToken, picture);

    expect(ended.body).toMatchObject({ statusCode: '403', error: 'Unauthorized' });
    expect(await storedNames()).toEqual([path]);
    expect((await ada.avatars.download(path)).error).toBeNull();
  });

  test('refuses invalid tokens and a request without one', async () => {
    const { id } = await signedIn();
    const picture = await plainPicture('png', 8);

    const forged = await call('POST', `object/avatars/${id}/1.png`, 'eyJhbGciOiJub25lIn0.e30.', picture);
    const answer = await server().request(`/storage/v1/object/avatars/${id}/1.png`, { method: 'POST', body: picture });

    expect(forged).toMatchObject({ status: 400, body: { statusCode: '403', error: 'Unauthorized' } });
    expect(await answer.json()).toMatchObject({ message: "headers must have required property 'authorization'" });
  });

  test('refuses an unknown bucket and the management of buckets', async () => {
    const { client, id, avatars } = await signedIn();

    const wrong = await client.storage.from('others').upload(`${id}/1.png`, await plainPicture('png', 8));
    const listed = await client.storage.listBuckets();
    const one = await client.storage.getBucket('avatars');
    const created = await client.storage.createBucket('mine');
    const emptied = await server().service().storage.emptyBucket('avatars');
    const asService = await server().service().storage.getBucket('avatars');

    expect(wrong.error).toMatchObject({ statusCode: '404', message: 'Bucket not found' });
    expect(listed.data).toEqual([]);
    expect(one.error).toMatchObject({ statusCode: '404', message: 'Bucket not found' });
    expect(created.error).toMatchObject({ message: 'Bucket management is not supported' });
    expect(emptied.error).toMatchObject({ message: 'Bucket management is not supported' });
    expect(asService.data).toMatchObject({ id: 'avatars', public: true, file_size_limit: 5_242_880 });
    expect((await avatars.list()).data?.map(({ name }) => name) ?? []).not.toContain('mine');
  });

  test('refuses unsupported operations by name', async () => {
    const { avatars, id, accessToken } = await signedIn();

    const answers = [
      await avatars.move('a.png', 'b.png'),
      await avatars.copy('a.png', 'b.png'),
      await avatars.createSignedUrl(`${id}/1.png`, 60),
      await avatars.createSignedUrls([`${id}/1.png`], 60),
      await avatars.createSignedUploadUrl(`${id}/1.png`),
      await avatars.uploadToSignedUrl(`${id}/1.png`, 'token', await plainPicture('png', 8)),
      await avatars.listV2({}),
      await avatars.remove([{ path: `${id}/1.png`, versionId: 'v1' }]),
    ];
    const transformed = await fetch(avatars.getPublicUrl('1.png', { transform: { width: 8 } }).data.publicUrl);
    const resumable = await call('POST', 'upload/resumable', accessToken);
    const unknown = await call('POST', 'objects', accessToken);

    for (const { error } of answers)
      expect(error).toMatchObject({
        status: 400,
        code: 'NotSupported',
        message: expect.stringMatching(/not supported$/),
      });
    expect(await transformed.json()).toMatchObject({ code: 'NotSupported' });
    expect(resumable.body).toMatchObject({ code: 'NotSupported' });
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({
      statusCode: '404',
      code: 'NotFound',
      error: 'Not Found',
      message: 'Route POST:/objects not found',
    });
  });

  const PIXELS = 'The picture has more than 26214400 pixels';
  const DAMAGED = 'The picture is damaged or unreadable';
  test.each<[string, () => Buffer<ArrayBuffer> | Promise<Buffer<ArrayBuffer>>, string, string]>([
    [
      'a page called a picture',
      () => Buffer.from('<html><script>alert(1)</script></html>'),
      '415',
      'mime type application/octet-stream is not supported',
    ],
    [
      'a drawing with a script',
      () => Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      '415',
      'mime type application/xml is not supported',
    ],
    [
      'a program',
      () => Buffer.concat([Buffer.from('MZ'), Buffer.alloc(500)]),
      '415',
      'mime type application/x-msdownload is not supported',
    ],
    ['a picture of another kind', () => plainPicture('tiff', 8), '415', 'mime type image/tiff is not supported'],
    ['a PNG cut short', async () => (await photograph('png', 300)).subarray(0, 50_000), '400', DAMAGED],
    ['a JPEG cut short', async () => (await photograph('jpeg', 300)).subarray(0, 20_000), '400', DAMAGED],
    [
      'a PNG’s first bytes alone',
      () => Buffer.from('89504e470d0a1a0a', 'hex'),
      '415',
      'mime type application/octet-stream is not supported',
    ],
    ['a picture of 20,000 pixels a side', () => bombPng(20_000, 20_000), '400', PIXELS],
    ['a picture of 36 megapixels', () => bombPng(6000, 6000), '400', PIXELS],
    [
      'an AVIF of five megapixels',
      () => plainPicture('avif', 2500, 2000),
      '400',
      'The picture has more than 4000000 pixels',
    ],
    ['a header that lies', () => bombPng(5000, 5000, false), '400', DAMAGED],
    ['nothing', () => Buffer.alloc(0), '400', 'No content provided'],
  ])('refuses %s', async (_what, bodyOf, statusCode, message) => {
    const { avatars, id } = await signedIn();
    const body = await bodyOf();

    const { error } = await avatars.upload(`${id}/1.png`, new Blob([body], { type: 'image/png' }));

    expect(error).toMatchObject({ status: 400, statusCode, message });
    expect((await avatars.list(id)).data).toEqual([]);
  });

  test('refuses a file over 5 MB and a body over 6 MiB, whole or in pieces', async () => {
    const { avatars, id, accessToken } = await signedIn();
    const picture = await plainPicture('png', 8);
    const tooLarge = {
      statusCode: '413',
      error: 'Payload too large',
      message: 'The object exceeded the maximum allowed size',
    };

    const file = await avatars.upload(`${id}/1.png`, new Blob([picture, Buffer.alloc(5_242_881 - picture.length)]));
    const body = await call('POST', `object/avatars/${id}/1.png`, accessToken, Buffer.alloc(6_291_457));
    const pieces = new Blob([Buffer.alloc(7_000_000)]).stream();
    const init = { method: 'POST', headers: { authorization: `Bearer ${accessToken}` }, body: pieces, duplex: 'half' };
    const streamed = await server().request(`/storage/v1/object/avatars/${id}/1.png`, init as RequestInit);

    expect(file.error).toMatchObject({ status: 413, statusCode: '413', message: tooLarge.message });
    expect(body).toMatchObject({ status: 413, body: tooLarge });
    expect([streamed.status, await streamed.json()]).toMatchObject([413, tooLarge]);
    expect(await storedNames()).not.toContain(`${id}/1.png`);
  });

  test.each([
    ['no JSON', '{'],
    ['no names', '{"prefixes": []}'],
    ['a number for a name', '{"prefixes": [1]}'],
    ['a NUL in a name', '{"prefixes": ["a\\u0000"]}'],
    ['too many names', JSON.stringify({ prefixes: Array.from({ length: 101 }, (_, index) => `${index}.png`) })],
  ])('refuses to remove %s', async (_what, body) => {
    const { accessToken } = await signedIn();

    const refused = await call('DELETE', 'object/avatars', accessToken, body, JSON_TYPE);

    expect(refused.status).toBe(400);
  });

  test.each([
    '{"limit": -1}',
    '{"limit": 1e9}',
    '{"sortBy": {"column": "owner; drop table"}}',
    '{"prefix": 7}',
    'null',
    '[]',
  ])('refuses to list %s', async (body) => {
    const { accessToken } = await signedIn();

    const refused = await call('POST', 'object/list/avatars', accessToken, body, JSON_TYPE);

    expect(refused.status).toBe(400);
  });
});

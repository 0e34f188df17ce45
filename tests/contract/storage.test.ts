/** Stored files through the official client library: what a user does with an avatar. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { photograph, photographWithPlace, plainPicture } from '../support/browser/pictures.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { backendTestServer } from './support/backend.ts';
import { storageCalls } from './support/data/storage.ts';

describeOneDatabase('stored files', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { signedIn } = storageCalls(server);

  test.each<[string, (bytes: Buffer<ArrayBuffer>) => Blob | Buffer | File | ArrayBuffer]>([
    ['a Blob', (bytes) => new Blob([bytes], { type: 'image/png' })],
    ['a File', (bytes) => new File([bytes], 'me.png', { type: 'image/png' })],
    ['a Buffer', (bytes) => bytes],
    ['an ArrayBuffer', (bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)],
  ])('stores %s and serves it to everyone', async (_what, bodyOf) => {
    const { avatars, id } = await signedIn();
    const path = `${id}/1763700000.png`;

    const { data, error } = await avatars.upload(path, bodyOf(await plainPicture('png', 40, 30)));

    expect(error).toBeNull();
    expect(data).toEqual({ path, id: expect.any(String), fullPath: `avatars/${path}` });
    const answer = await fetch(avatars.getPublicUrl(path).data.publicUrl);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(await sharp(await answer.arrayBuffer()).metadata()).toMatchObject({ format: 'png', width: 40, height: 30 });
  });

  test.each([
    ['jpeg', 'image/jpeg'],
    ['png', 'image/png'],
    ['webp', 'image/webp'],
    ['gif', 'image/webp'],
    ['avif', 'image/webp'],
  ] as const)('re-encodes %s and serves it as %s, whatever its name', async (type, served) => {
    const { avatars, id } = await signedIn();
    const path = `${id}/picture.txt`;

    const { error } = await avatars.upload(path, await plainPicture(type, 1500, 900), { contentType: 'text/html' });

    expect(error).toBeNull();
    const answer = await fetch(avatars.getPublicUrl(path).data.publicUrl);
    expect(answer.headers.get('content-type')).toBe(served);
    const bytes = await answer.arrayBuffer();
    expect(answer.headers.get('content-length')).toBe(String(bytes.byteLength));
    expect(await sharp(bytes).metadata()).toMatchObject({ format: served.slice(6), width: 1024, height: 614 });
  });

  test('turns a photograph upright and removes its location', async () => {
    const { avatars, id } = await signedIn();
    const photo = await photographWithPlace(400, 300);
    expect((await sharp(photo).metadata()).exif?.includes('Telephone of Ada')).toBe(true);

    await avatars.upload(`${id}/1.jpg`, photo);

    const { data } = await avatars.download(`${id}/1.jpg`);
    const stored = Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer());
    const metadata = await sharp(stored).metadata();
    expect(metadata).toMatchObject({ width: 300, height: 400 });
    expect([metadata.exif, metadata.icc, metadata.xmp, metadata.orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(stored.includes('Telephone')).toBe(false);
  });

  test('refuses a second upload to a path, unless it may replace', async () => {
    const { avatars, id } = await signedIn();
    const path = `${id}/1.png`;
    await avatars.upload(path, await plainPicture('png', 10));

    const duplicate = await avatars.upload(path, await plainPicture('png', 20));
    const replaced = await avatars.upload(path, await plainPicture('png', 30), { upsert: true });
    const updated = await avatars.update(path, await plainPicture('png', 31));

    expect(duplicate.error).toMatchObject({ statusCode: '409', message: 'The resource already exists' });
    expect([replaced.error, updated.error]).toEqual([null, null]);
    expect(updated.data?.id).toBe(replaced.data?.id);
    const { data } = await avatars.download(path);
    expect((await sharp(await data?.arrayBuffer()).metadata()).width).toBe(31);
  });

  test('lists, describes, downloads and removes files', async () => {
    const { avatars, id } = await signedIn();
    for (const name of ['b.png', 'a.png', 'old/c.png'])
      await avatars.upload(`${id}/${name}`, await plainPicture('png', 8), { metadata: { camera: 'none' } });

    const listed = await avatars.list(id);
    const searched = await avatars.list(id, { search: 'A', sortBy: { column: 'created_at', order: 'desc' } });
    const page = await avatars.list(id, { limit: 1, offset: 1 });
    const info = await avatars.info(`${id}/a.png`);
    const exists = [await avatars.exists(`${id}/a.png`), await avatars.exists(`${id}/none.png`)];
    const removed = await avatars.remove([`${id}/a.png`, `${id}/b.png`, `${id}/none.png`]);

    expect(listed.data?.map(({ name, id: objectId }) => [name, objectId !== null])).toEqual([
      ['a.png', true],
      ['b.png', true],
      ['old', false],
    ]);
    expect(searched.data?.map(({ name }) => name)).toEqual(['a.png']);
    expect(page.data?.map(({ name }) => name)).toEqual(['b.png']);
    expect(listed.data?.[0]).toMatchObject({ metadata: { mimetype: 'image/png', cacheControl: 'max-age=3600' } });
    expect(info.data).toMatchObject({
      name: `${id}/a.png`,
      bucketId: 'avatars',
      contentType: 'image/png',
      size: expect.any(Number),
      metadata: { camera: 'none' },
    });
    expect(exists.map(({ data }) => data)).toEqual([true, false]);
    expect(removed.data?.map(({ name }) => name).sort()).toEqual([`${id}/a.png`, `${id}/b.png`]);
    const deleted = await fetch(avatars.getPublicUrl(`${id}/a.png`).data.publicUrl);
    expect([deleted.status, await deleted.json()]).toEqual([
      400,
      { statusCode: '404', code: 'NoSuchKey', error: 'not_found', message: 'Object not found' },
    ]);
    expect((await avatars.list(id)).data?.map(({ name }) => name)).toEqual(['old']);
  });

  test('serves a public address with caching, conditional requests, HEAD and a download name', async () => {
    const { avatars, id } = await signedIn();
    await avatars.upload(`${id}/1.png`, await plainPicture('png', 8), { cacheControl: '60' });
    const { publicUrl } = avatars.getPublicUrl(`${id}/1.png`).data;

    const first = await fetch(publicUrl);
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(publicUrl, { headers: { 'if-none-match': `"other", W/${etag}` } });
    const head = await fetch(publicUrl, { method: 'HEAD' });
    const saved = await fetch(avatars.getPublicUrl(`${id}/1.png`, { download: 'Über mich".png' }).data.publicUrl);
    const versioned = await fetch(avatars.getPublicUrl(`${id}/1.png`, { cacheNonce: '7' }).data.publicUrl);

    expect(first.headers.get('cache-control')).toBe('public, max-age=60');
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    const size = String((await first.arrayBuffer()).byteLength);
    expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', size]);
    expect(saved.headers.get('content-disposition')).toBe(
      `attachment; filename="_ber mich_.png"; filename*=UTF-8''%C3%9Cber%20mich%22.png`,
    );
    expect(versioned.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    await Promise.all([saved.arrayBuffer(), versioned.arrayBuffer()]);
  });

  test('marks a private download as private', async () => {
    const { avatars, id, accessToken } = await signedIn();
    await avatars.upload(`${id}/1.png`, await plainPicture('png', 8));

    const answer = await server().request(`/storage/v1/object/authenticated/avatars/${id}/1.png`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });

    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    await answer.arrayBuffer();
  });

  test('stores a photograph of almost 5 MB', async () => {
    const { avatars, id } = await signedIn();
    const photo = await photograph('jpeg', 3200, 2400);
    expect(photo.length).toBeGreaterThan(4_000_000);
    expect(photo.length).toBeLessThan(5_242_880);

    const { error } = await avatars.upload(`${id}/1.jpg`, new Blob([photo]));

    expect(error).toBeNull();
  });
});

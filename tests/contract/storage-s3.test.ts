/** Stored files in an S3-compatible store: the same calls, a store that fails, and what it then leaves behind. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { s3Files } from '../../server/backend/storage/files/s3-files.ts';
import { sweep } from '../../server/backend/storage/sweep.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { plainPicture } from '../support/browser/pictures.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { type S3Peer, startS3Peer } from '../support/wire/s3-peer.ts';
import { type BackendTestServer, backendTestServer } from './support/backend.ts';
import { storageCalls } from './support/data/storage.ts';

const LIMITS = { connectMs: 10_000, answerMs: 2000, tries: 2, writeMs: 20_000 };
const TWO_HOURS_MS = 2 * 60 * 60 * 1000;

describeOneDatabase('an S3-compatible store', (kind) => {
  let peer: S3Peer;
  let server: BackendTestServer;
  const { signedIn, storedNames } = storageCalls(() => server);

  beforeAll(async () => {
    peer = await startS3Peer();
    server = await backendTestServer(kind, { files: s3Files(peer.settings, LIMITS) });
  });
  afterAll(async () => {
    await server?.close();
    await peer?.close();
  });
  beforeEach(() => peer.objects.clear());

  test('stores files under our names, with every request signed', async () => {
    const { avatars, id } = await signedIn();
    const path = `${id}/1.png`;

    const stored = await avatars.upload(path, await plainPicture('png', 8));
    const replaced = await avatars.upload(path, await plainPicture('png', 9), { upsert: true });
    const answer = await fetch(avatars.getPublicUrl(path).data.publicUrl);
    const bytes = Buffer.from(await answer.arrayBuffer());

    expect([stored.error, replaced.error, answer.status]).toEqual([null, null, 200]);
    expect([...peer.objects.keys()]).toEqual([expect.stringMatching(/^kat-objects\/[0-9a-f-]{36}$/)]);
    expect([...peer.objects.values()][0]).toMatchObject({ bytes, type: 'image/png' });
    expect((await avatars.remove([path])).data).toHaveLength(1);
    expect([...peer.objects.keys()]).toEqual([]);
    expect(peer.badSignatures).toEqual([]);
  });

  test('refuses a request signed with another secret, which fails the upload', async () => {
    const files = s3Files({ ...peer.settings, secretAccessKey: 'another secret of forty characters, long' }, LIMITS);
    const name = crypto.randomUUID();

    await expect(files.put(name, Buffer.from('x'), 'image/png')).rejects.toThrow('Stored files cannot be reached');

    expect(peer.badSignatures.splice(0)).toEqual([expect.stringMatching(/^the signature does not fit/)]);
    expect([...peer.objects.keys()]).toEqual([]);
    files.close();
  });

  test('is retried after one failure', async () => {
    const { avatars, id } = await signedIn();
    peer.fail('PUT', 'error', 1);
    peer.fail('GET', 'silence', 1);

    const stored = await avatars.upload(`${id}/1.png`, await plainPicture('png', 8));
    const read = await avatars.download(`${id}/1.png`);

    expect([stored.error, read.error]).toEqual([null, null]);
  });

  test.each(['error', 'refusal', 'silence'] as const)('fails an upload with 503 and no row on %s', async (fault) => {
    const { avatars, id } = await signedIn();
    const before = await storedNames();
    peer.fail('PUT', fault, fault === 'refusal' ? 1 : LIMITS.tries);

    const { error } = await avatars.upload(`${id}/1.png`, await plainPicture('png', 8));

    expect(error).toMatchObject({ status: 503, statusCode: '503', code: 'SlowDown' });
    expect(await storedNames()).toEqual(before);
    expect((await avatars.upload(`${id}/1.png`, await plainPicture('png', 8))).error).toBeNull();
  });

  test('has one time limit over all attempts of a write', async () => {
    const files = s3Files(peer.settings, { ...LIMITS, answerMs: 60_000, tries: 5, writeMs: 200 });
    const startedMs = performance.now();
    peer.fail('PUT', 'silence', 1);
    peer.fail('DELETE', 'silence', 1);

    await expect(files.put(crypto.randomUUID(), Buffer.from('x'), 'image/png')).rejects.toThrow('cannot be reached');
    await expect(files.remove(crypto.randomUUID())).rejects.toThrow('cannot be reached');

    // Long before a single attempt's own limit.
    expect(performance.now() - startedMs).toBeLessThan(30_000);
    files.close();
  });

  test('leaves a picture unchanged when its replacement cannot be written', async () => {
    const { avatars, id } = await signedIn();
    await avatars.upload(`${id}/1.png`, await plainPicture('png', 8));
    const before = await (await avatars.download(`${id}/1.png`)).data?.text();
    peer.fail('PUT', 'error', LIMITS.tries);

    const replaced = await avatars.upload(`${id}/1.png`, await plainPicture('png', 9), { upsert: true });

    expect(replaced.error).toMatchObject({ statusCode: '503' });
    expect(await (await avatars.download(`${id}/1.png`)).data?.text()).toBe(before);
  });

  test('causes a 503 for a read when unavailable, and a cut response when it breaks off', async () => {
    const { avatars, id } = await signedIn();
    await avatars.upload(`${id}/1.png`, await plainPicture('png', 8));
    const { publicUrl } = avatars.getPublicUrl(`${id}/1.png`).data;
    peer.fail('GET', 'error', LIMITS.tries);
    const away = await fetch(publicUrl);
    peer.fail('GET', 'cut', 1);

    const cut = fetch(publicUrl).then((answer) => answer.arrayBuffer());

    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '1']);
    await expect(cut).rejects.toThrow();
  });

  test("loses a failed removal's old leftovers in the next sweep, and nothing else", async () => {
    const { avatars, id } = await signedIn();
    const path = `${id}/kept.png`;
    await avatars.upload(path, await plainPicture('png', 8));
    await avatars.upload(`${id}/left.png`, await plainPicture('png', 8));
    peer.fail('DELETE', 'error', LIMITS.tries);
    const removed = await avatars.remove([`${id}/left.png`]);
    peer.objects.set('kat-objects/of another user', { bytes: Buffer.alloc(1), type: '', writtenAt: new Date(0) });
    const deps = { database: server.database, files: s3Files(peer.settings, LIMITS), log: createLogger('silent') };
    const young = await sweep(deps);
    for (const object of peer.objects.values()) object.writtenAt = new Date(Date.now() - TWO_HOURS_MS);

    const swept = await sweep(deps);

    expect([removed.error, young, swept]).toEqual([null, 0, 1]);
    expect(peer.objects.has('kat-objects/of another user')).toBe(true);
    expect((await avatars.download(path)).error).toBeNull();
    deps.files.close();
  });
});

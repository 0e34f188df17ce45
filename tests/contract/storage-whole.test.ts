/** Stored files in the whole server: settings choose the place, and the site's own headers apply. */
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { plainPicture } from '../support/browser/pictures.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { startWholeServer } from '../support/servers/whole-server.ts';
import { startS3Peer } from '../support/wire/s3-peer.ts';

describeOneDatabase('the whole server', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));

  async function uploadTo(url: string, email: string): Promise<string> {
    const settings = await (await fetch(`${url}/config.json`)).json();
    const client = createClient(url, settings.supabaseAnonKey, { auth: { persistSession: false } });
    const { data } = await client.auth.signUp({ email, password: 'Password1' });
    const avatars = client.storage.from('avatars');
    const { error, data: stored } = await avatars.upload(`${data.user?.id}/1.png`, await plainPicture('png', 8));
    expect(error).toBeNull();
    await client.auth.stopAutoRefresh();
    return avatars.getPublicUrl(stored?.path ?? '').data.publicUrl;
  }

  test('stores pictures in its data folder and serves them sandboxed', async () => {
    const server = await startWholeServer(database());

    const answer = await fetch(await uploadTo(server.url, 'disk@example.com'));
    const bytes = await answer.arrayBuffer();
    const folders = await readdir(join(server.dataDir, 'storage'));
    const unknown = await fetch(`${server.url}/storage/v1/nothing`);
    await server.close();

    expect([answer.status, bytes.byteLength > 0]).toEqual([200, true]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(folders).toEqual([expect.stringMatching(/^[0-9a-f]{2}$/)]);
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'application/json']);
  });

  test('stores pictures in an S3-compatible store when the settings name one', async () => {
    const peer = await startS3Peer();
    const { endpoint, region, bucket, accessKeyId, secretAccessKey } = peer.settings;
    const store = new URL(`/${bucket}?region=${region}`, endpoint ?? '');
    Object.assign(store, { username: accessKeyId, password: encodeURIComponent(secretAccessKey) });
    const server = await startWholeServer(database(), { env: { S3_URL: store.href } });

    const answer = await fetch(await uploadTo(server.url, 's3@example.com'));
    const bytes = await answer.arrayBuffer();
    const onDisk = await access(join(server.dataDir, 'storage')).then(
      () => true,
      () => false,
    );
    await server.close();
    await peer.close();

    expect([answer.status, bytes.byteLength > 0]).toEqual([200, true]);
    expect([peer.objects.size, onDisk, peer.badSignatures]).toEqual([1, false, []]);
  });
});

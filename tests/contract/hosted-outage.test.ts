/** A hosted project that is unavailable or unresponsive: each part of the protocol reports it in its own format. */
import { describe, expect, test } from 'vitest';
import { openHostedBackend } from '../../server/backend/hosted/hosted.ts';
import { POSTGRES_SKIPPED, testDatabaseKinds, testLog } from '../support/database/database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { openHostedWorld, PASSWORD } from './support/hosted.ts';

const isHere = testDatabaseKinds().includes('postgres');

describe.skipIf(!isHere)(`an unresponsive hosted project${isHere ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  const world = openedForTests(() => openHostedWorld());

  test('returns 503 when the project exceeds the time limit', async () => {
    const { project } = world();
    const backend = await openHostedBackend({
      project,
      config: { publicUrl: null, allowedOrigins: [], trustedProxies: 0 },
      clock: { nowMs: () => Date.now() },
      log: testLog,
      database: project.database,
      timeoutMs: 100,
    });
    project.answerWith(() => new Promise(() => undefined));

    const answer = await backend.routes.request('/rest/v1/billing_prices');
    project.answerWith(null);

    expect([answer.status, (await answer.json()).code]).toEqual([503, 'PGRST001']);
  });

  test("returns 503 in each part's format when the project is stopped", async () => {
    const { client, accessToken } = await world().user();
    await world().project.stop();

    const signIn = await world().visitor().auth.signInWithPassword({ email: 'a@example.com', password: PASSWORD });
    const read = await client.from('profiles').select();
    const upload = await client.storage.from('avatars').upload('x/y.png', new Blob(['x'], { type: 'image/png' }));
    const raw = await world().request('/auth/v1/settings');
    const storage = await world().request('/storage/v1/bucket');

    expect(signIn.error).toMatchObject({ name: 'AuthRetryableFetchError', status: 503 });
    expect([raw.status, raw.headers.get('retry-after'), await raw.json()]).toEqual([
      503,
      '1',
      { code: 503, error_code: 'unexpected_failure', msg: expect.any(String) },
    ]);
    expect([read.status, read.error?.code]).toEqual([503, 'PGRST001']);
    expect(upload.error).toMatchObject({ status: 503, statusCode: '503' });
    expect([storage.status, await storage.json()]).toEqual([
      503,
      { statusCode: '503', error: 'ServiceUnavailable', message: expect.any(String) },
    ]);
    // Our own functions still respond: the key is known and the database is available.
    expect((await world().invoke('get-quota', accessToken)).status).toBe(200);
    expect((await world().request('/readyz')).status).toBe(503);
  });
});

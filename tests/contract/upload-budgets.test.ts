/**
 * How many bytes of pictures one account, one address and all users may store: embedded, and before a hosted project.
 */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { rateLimits } from '../../server/backend/limits.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { rateCountStore } from '../../server/platform/http/guards/rate-count-store.ts';
import { sharedRateLimiters } from '../../server/platform/http/guards/shared-rate-limit.ts';
import { photograph, plainPicture } from '../support/browser/pictures.ts';
import { openTestDatabase, POSTGRES_SKIPPED, testDatabaseKinds, testLog } from '../support/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { startWholeServer, unlimited } from '../support/servers/whole-server.ts';
import { type BackendTestServer, backendTestServer } from './support/backend.ts';
import { openHostedWorld, replaceableLimits } from './support/hosted.ts';

const KIB = 1024;
const budget = (points: number) => ({ points, perS: 3600 });
type User = Pick<Awaited<ReturnType<BackendTestServer['user']>>, 'id' | 'accessToken'>;

// On one kind by day: the counters are those of tests/database/shared-limits.test.ts, which runs on both.
describeBothAtNight('pictures', (kind) => {
  const opened = openedForTests(() =>
    backendTestServer(kind, {
      limits: {
        pictureKibPerAccountADay: budget(100),
        pictureKibPerAddressAnHour: budget(150),
        verifiedPictureKibPerAccountADay: budget(200),
        verifiedPictureKibPerAddressAnHour: budget(300),
      },
      gateway: { clientAddress: (c) => c.req.header('x-test-address') ?? 'somewhere' },
    }),
  );
  let pictures = 0;
  /** A picture that takes about 60 KiB once stored. */
  const large = () => photograph('png', 150);
  const upload = (user: User, bytes: Uint8Array<ArrayBuffer>, address: string) => {
    pictures += 1;
    return opened().request(`/storage/v1/object/avatars/${user.id}/${pictures}.png`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.accessToken}`, 'content-type': 'image/png', 'x-test-address': address },
      body: bytes,
    });
  };

  test("share an account's daily budget across addresses, and a refused one costs nothing", async () => {
    const ada = await opened().user();
    const picture = await large();

    const first = await upload(ada, picture, 'first');
    const refused = await upload(ada, picture, 'second');
    const small = await upload(ada, await plainPicture('png', 8), 'third');

    expect(picture.length).toBeGreaterThan(50 * KIB);
    expect([first.status, refused.status, small.status]).toEqual([200, 429, 200]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect(await refused.json()).toEqual({
      statusCode: '429',
      code: 'BudgetExceeded',
      error: 'too_many_requests',
      message:
        'The file was not stored. Your account has used up its allowance for now. Please try again in 60 minutes.',
    });
  });

  test('share one budget per address for fresh accounts, apart from verified ones', async () => {
    const users = [await opened().user(), await opened().user(), await opened().user()];
    const verified = await opened().confirmedUser();
    const picture = await large();

    const statuses: number[] = [];
    for (const user of users) statuses.push((await upload(user, picture, 'home')).status);
    const ofVerified: number[] = [];
    for (let n = 0; n < 3; n += 1) ofVerified.push((await upload(verified, picture, 'home')).status);

    expect(statuses).toEqual([200, 200, 429]);
    expect(ofVerified).toEqual([200, 200, 200]);
  });

  test('count at their stored size when it exceeds the uploaded one', async () => {
    const ada = await opened().user();
    // The server re-encodes it in a better quality.
    const swelling = await sharp(await photograph('png', 640))
      .webp({ quality: 1 })
      .toBuffer();

    const { status } = await upload(ada, new Uint8Array(swelling), 'swelling');
    const stored = await opened().database.query(
      OWNER,
      'select 1 as one from storage.objects where owner_id = $1::text',
      [ada.id],
    );

    expect(swelling.length).toBeLessThan(70 * KIB);
    expect([status, stored]).toEqual([429, []]);
  });
});

const isHere = testDatabaseKinds().includes('postgres');

describe.skipIf(!isHere)(`servers on PostgreSQL${isHere ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  const database = openedForTests(() => openTestDatabase('postgres'));
  const { limits, limit } = replaceableLimits();
  const hosted = openedForTests(() => openHostedWorld(limits));

  test('counts the bytes of an address together over two servers', async () => {
    const shared = () =>
      rateLimits(
        { ...unlimited(), pictureKibPerAddressAnHour: budget(150) },
        sharedRateLimiters({ store: rateCountStore(database()), secret: 'of the site', log: testLog }),
      );
    const servers = [
      await startWholeServer(database(), { limits: shared() }),
      await startWholeServer(database(), { limits: shared() }),
    ];
    const picture = await photograph('png', 150);
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const url = servers[n % 2]?.url ?? '';
      const { supabaseAnonKey: apikey } = await (await fetch(`${url}/config.json`)).json();
      const signedUp = await fetch(`${url}/auth/v1/signup`, {
        method: 'POST',
        headers: { apikey, 'content-type': 'application/json' },
        body: JSON.stringify({ email: `many${n}@example.com`, password: 'Password1' }),
      });
      const { access_token: token, user } = await signedUp.json();
      const answer = await fetch(`${url}/storage/v1/object/avatars/${user.id}/1.png`, {
        method: 'POST',
        headers: { apikey, authorization: `Bearer ${token}`, 'content-type': 'image/png' },
        body: picture,
      });
      statuses.push(answer.status);
    }
    for (const server of servers) await server.close();

    expect(statuses).toEqual([200, 200, 429]);
  });

  test('counts uploads before a hosted project receives them, and no other call', async () => {
    limit({ pictureKibPerAddressAnHour: budget(8) });
    const { id, accessToken } = await hosted().user();
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'image/png' };
    const at = (name: string) => `/storage/v1/object/avatars/${id}/${name}.png`;
    const picture = await photograph('png', 40);
    const before = hosted().project.requests.length;

    const taken = await hosted().request(at('1'), { method: 'POST', headers, body: picture });
    const refused = await hosted().request(at('2'), { method: 'PUT', headers, body: picture });
    const listed = await hosted().request('/storage/v1/object/list/avatars', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ prefix: id }),
    });

    expect([taken.status, refused.status, listed.status]).toEqual([200, 429, 200]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect(hosted().project.requests.length).toBe(before + 2);
    limit(null);
  });

  test('redacts and truncates error reports before a hosted project receives them', async () => {
    const body = { error_message: 'of ada@example.com', error_stack: 'x '.repeat(10_000), context: { password: 'p' } };
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };

    const { status } = await hosted().request('/rest/v1/error_logs', sent);
    const table = await hosted().request('/rest/v1/error_logs', {
      ...sent,
      headers: { 'content-type': 'text/csv' },
      body: 'error_message\nof ada@example.com',
    });
    const [row] = await hosted().project.database.query(
      OWNER,
      'select error_message, octet_length(error_stack) as stack_bytes, context from public.error_logs order by id desc limit 1',
    );

    expect([status, table.status]).toEqual([201, 415]);
    expect(row).toEqual({ error_message: 'of [email]', stack_bytes: 4096, context: { password: '[redacted]' } });
  });
});

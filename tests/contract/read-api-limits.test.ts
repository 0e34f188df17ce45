/** How often a key of the read API may be used: reported with every answer, and refused with an explanation. */
import { afterEach, expect, test, vi } from 'vitest';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { apiCalls, documentedBy, readApiServer } from './support/data/read-api.ts';

afterEach(() => void vi.useRealTimers());

describeOneDatabase('rate limits of the keys of an account', (kind) => {
  const keyLimits = { minute: { points: 3, perS: 60 }, day: { points: 5, perS: 86_400 } };
  const server = openedForTests(() => readApiServer(kind, { keyLimits }));
  const { newKey, request } = apiCalls(server);

  test('reports the remainder in headers, and refuses the excess by the minute, then by the day', async () => {
    const user = await server().confirmedUser();
    const [{ key }, { key: second }] = [await newKey(user), await newKey(user)];
    const leftOf = async (sent: string) => {
      const { status, headers } = await request('/me', sent);
      return [status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining'), headers.get('retry-after')];
    };

    expect((await request('/me', second)).headers.get('ratelimit')).toMatch(/^"minute";r=2;t=60, "day";r=4;t=86400$/);
    // All keys of an account count together.
    expect([await leftOf(key), await leftOf(key)]).toEqual([
      [200, '3', '1', null],
      [200, '3', '0', null],
    ]);
    const refused = await request('/me', key);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'request/too-many', error: 'Too many requests', details: { window: 'minute' } },
    });
    expect(refused.headers.get('ratelimit-policy')).toBe('"minute";q=3;w=60, "day";q=5;w=86400');
    expect(refused.headers.get('ratelimit')).toMatch(/^"minute";r=0;t=\d{1,2}$/);
    expect((await documentedBy(server()))('/me', refused)).toBeNull();
    const waitS = Number(refused.headers.get('retry-after'));
    expect(waitS).toBeGreaterThan(0);
    expect(waitS).toBeLessThanOrEqual(60);
    // Another user's key is counted separately; an invalid key is not counted.
    expect((await request('/me', second)).status).toBe(429);
    const { key: others } = await newKey(await server().confirmedUser());
    expect((await request('/me', others)).status).toBe(200);
    await request('/me', null);

    vi.useFakeTimers({ now: Date.now() + waitS * 1000, toFake: ['Date'] });
    expect(await leftOf(key)).toEqual([200, '5', '1', null]);
    expect((await request('/records?limit=0', key)).headers.get('ratelimit-remaining')).toBe('0');
    const ofDay = await request('/me', key);
    expect(ofDay).toMatchObject({ status: 429, body: { details: { window: 'day' } } });
    expect(Number(ofDay.headers.get('retry-after'))).toBeGreaterThan(80_000);
  });
});

describeOneDatabase('the cost of CSV downloads', (kind) => {
  const keyLimits = { minute: { points: 25, perS: 60 }, day: { points: 5000, perS: 86_400 } };
  const server = openedForTests(() => readApiServer(kind, { keyLimits }));
  const { newKey, request } = apiCalls(server);

  test('charges ten requests for each', async () => {
    const { key } = await newKey(await server().confirmedUser());
    const left = async (path: string) => (await request(path, key)).headers.get('ratelimit-remaining');

    expect([await left('/records'), await left('/records.csv'), await left('/predictions.csv')]).toEqual([
      '24',
      '14',
      '4',
    ]);
    expect(await request('/records.csv', key)).toMatchObject({ status: 429, body: { details: { window: 'minute' } } });
  });
});

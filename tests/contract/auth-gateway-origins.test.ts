/** Which other origins may call the services and read the answers. */
import { expect, test } from 'vitest';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { backendTestServer } from './support/backend.ts';

const ALLOWED = 'https://app.example';
const PATHS = ['/auth/v1/settings', '/rest/v1/profiles?select=id'];

describeOneDatabase('cross-origin requests', (kind) => {
  const server = openedForTests(() => backendTestServer(kind, { gateway: { allowedOrigins: [ALLOWED] } }));

  const requestFrom = async (path: string, origin: string | null, init: RequestInit = {}) => {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...(origin === null ? {} : { origin }) };
    return server().request(path, { ...init, headers });
  };
  const preflight = (path: string, origin: string) =>
    requestFrom(path, origin, {
      method: 'OPTIONS',
      headers: {
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'apikey,authorization,content-type,x-client-info,x-supabase-api-version',
      },
    });

  test.each(PATHS)('lets the configured origin read %s', async (path) => {
    const allowed = await preflight(path, ALLOWED);
    const answer = await requestFrom(path, ALLOWED);

    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, ALLOWED]);
    expect(allowed.headers.get('access-control-allow-methods')).toContain('PATCH');
    for (const header of ['apikey', 'authorization', 'content-type', 'x-client-info', 'x-upsert', 'prefer'])
      expect(allowed.headers.get('access-control-allow-headers')?.split(', ')).toContain(header);
    expect(answer.headers.get('access-control-allow-origin')).toBe(ALLOWED);
    expect(answer.headers.get('access-control-expose-headers')).toContain('content-range');
    expect(answer.headers.get('vary')).toContain('origin');
  });

  test.each([
    'https://evil.example',
    'http://app.example',
    'https://app.example:444',
    'https://app.example.evil.example',
    'https://evil-app.example',
    'https://APP.example',
    'null',
    '*',
  ])('gives the origin %s no permission', async (origin) => {
    for (const path of PATHS) {
      const checked = await preflight(path, origin);
      const answer = await requestFrom(path, origin);

      expect(checked.status).toBe(403);
      for (const { headers } of [checked, answer]) expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(answer.headers.get('vary')).toContain('origin');
    }
  });

  test('lets an checked origin read a refusal too', async () => {
    const answer = await requestFrom('/auth/v1/user', ALLOWED);

    expect(answer.status).toBe(401);
    expect(answer.headers.get('access-control-allow-origin')).toBe(ALLOWED);
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-sb-error-code');
  });

  test('never allows credentials from other origins', async () => {
    const headers = [...(await preflight('/auth/v1/token', ALLOWED)).headers.keys()];

    expect(headers).not.toContain('access-control-allow-credentials');
  });
});

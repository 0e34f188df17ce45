/**
 * What the gateway passes between browser and hosted project, what it blocks, and what it returns when the project is
 * unavailable.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { POSTGRES_SKIPPED, testDatabaseKinds } from '../support/database/database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { openHostedWorld, PASSWORD, replaceableLimits } from './support/hosted.ts';

const isHere = testDatabaseKinds().includes('postgres');
const JSON_TYPE = { 'content-type': 'application/json' };

describe.skipIf(!isHere)(`gateway of a hosted project${isHere ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  const { limits, limit } = replaceableLimits();
  const world = openedForTests(() => openHostedWorld(limits));
  afterEach(() => {
    world().project.answerWith(null);
    limit(null);
  });

  describe('requests', () => {
    test("forwards the protocol's headers, but no cookie, forged address or hop-by-hop header", async () => {
      await world().request('/rest/v1/billing_prices?select=plan', {
        headers: {
          cookie: 'session=secret',
          prefer: 'count=exact',
          'x-client-info': 'test',
          'x-forwarded-for': '6.6.6.6',
          'x-secret-header': 'no',
          te: 'trailers',
        },
      });

      const { path, headers } = world().project.requests.at(-1) ?? {};
      const seen = (name: string) => headers?.get(name) ?? null;
      expect(path).toBe('/rest/v1/billing_prices');
      expect([seen('prefer'), seen('x-client-info')]).toEqual(['count=exact', 'test']);
      expect([seen('cookie'), seen('x-secret-header'), seen('te')]).toEqual([null, null, null]);
      expect(seen('x-forwarded-for')).toBe('127.0.0.1');
      expect(`http://${seen('host')}`).toBe(world().project.url);
    });

    test.each([
      '/rest/v1/../../functions/v1/x',
      '/rest/v1/%2e%2e/%2e%2e/pg/x',
      '/rest/v1/..%2f..%2fpg',
      '/rest/v1/..%5c..%5cpg',
      '/storage/v1/object/%2e%2e/x/..%2F..',
      '/auth/v1/%ff',
      '/rest/v1/',
      '/rest/v1',
      '/rest/v1//',
      '/rest/v1/%2f',
      '/rest/v1/%2F%2f',
      '/rest/v1//error_logs',
      '/rest/v1/error_logs/',
      '/rest/v1/error_logs%2f',
      '/rest/v1/%2ferror_logs',
      '/rest/v1/error%255flogs',
      '/rest/v1/.%2ferror_logs',
      '/rest/v1/%5Cerror_logs',
      '/auth/v1//token',
      '/auth/v1/token/',
      '/auth/v1/token%2f',
      '/auth/v1/tok%2565n',
      '/auth/v1/%2e/token/',
      '/storage/v1/object//avatars/x',
    ])('forwards nothing for the path %s', async (path) => {
      const before = world().project.requests.length;

      const status = await rawStatus(world().url, path);

      expect(status).toBe(404);
      expect(world().project.requests.length).toBe(before);
    });

    test.each([
      '/auth/v1/token?grant_type=password',
      '/auth/v1/tok%65n?grant_type=password',
      '/auth/v1/./token?grant_type=password',
      '/auth/v1/x/../token?grant_type=password',
      '/auth/v1/token?grant%5ftype=password&grant_type=refresh_token',
      '/auth/v1/token?grant_type=refresh_token&grant_type=password',
    ])('counts a sign-in in every spelling: %s', async (path) => {
      limit({ signInPerAddress: { points: 1, perS: 60 }, refreshPerAddress: { points: 9, perS: 60 } });
      world().project.answerWith(async () => Response.json({}));

      const statuses = [await rawStatus(world().url, path, 'POST'), await rawStatus(world().url, path, 'POST')];

      expect(statuses).toEqual([200, 429]);
    });

    test('refuses PURGE with 405', async () => {
      const answer = await world().request('/rest/v1/billing_prices', { method: 'PURGE' });

      expect([answer.status, (await answer.json()).code]).toEqual([405, 'PGRST117']);
    });

    test.each([
      ['/auth/v1/signup', 65 * 1024],
      ['/rest/v1/error_logs', 1024 * 1024 + 1],
      ['/storage/v1/object/avatars/x.png', 6 * 1024 * 1024 + 1],
    ])('refuses an oversized body for %s, with or without Content-Length', async (path, size) => {
      world().project.answerWith(async (request) => Response.json({ bytes: (await request.arrayBuffer()).byteLength }));
      const bytes = new Uint8Array(size).fill(32);
      const piecewise = new ReadableStream({
        start(controller) {
          for (let at = 0; at < size; at += 16_384) controller.enqueue(bytes.subarray(at, at + 16_384));
          controller.close();
        },
      });

      const answer = await world().request(path, { method: 'POST', headers: JSON_TYPE, body: bytes });
      const init = { method: 'POST', headers: JSON_TYPE, body: piecewise, duplex: 'half' } as RequestInit;
      const unreported = await world().request(path, init);

      expect([answer.status, unreported.status]).toEqual([413, 413]);
    });

    test('limits sign-ins, emails and report rows per visitor address', async () => {
      limit({
        signInPerAddress: { points: 2, perS: 60 },
        mailPerAddress: { points: 1, perS: 60 },
        reportRowsPerAddress: { points: 3, perS: 60 },
      });
      const signIn = () => world().visitor().auth.signInWithPassword({ email: 'none@example.com', password: PASSWORD });
      const report = (body: unknown) =>
        world().request('/rest/v1/error%5Flogs', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });

      const signIns = [await signIn(), await signIn(), await signIn()].map(({ error }) => error?.code);
      const mails = [];
      for (let n = 0; n < 2; n += 1)
        mails.push((await world().visitor().auth.resetPasswordForEmail('none@example.com')).error?.code);
      const reports = [
        await report({ error_message: 'one' }),
        await report([1, 2, 3].map(() => ({ error_message: 'x' }))),
      ];

      expect(signIns).toEqual(['invalid_credentials', 'invalid_credentials', 'over_request_rate_limit']);
      expect(mails[1]).toBe('over_request_rate_limit');
      expect(reports.map((answer) => answer.status)).toEqual([201, 429]);
    });
  });

  describe('responses', () => {
    test("forwards status, body and the protocol's headers, but no cookie", async () => {
      world().project.answerWith(async () =>
        Response.json(
          { code: 'X', message: 'teapot' },
          {
            status: 418,
            headers: {
              'set-cookie': 'a=b',
              'retry-after': '7',
              'x-sb-error-code': 'tea',
              server: 'x',
              'x-powered-by': 'x',
            },
          },
        ),
      );

      const answer = await world().request('/auth/v1/settings');

      expect([answer.status, await answer.json()]).toEqual([418, { code: 'X', message: 'teapot' }]);
      expect([answer.headers.get('retry-after'), answer.headers.get('x-sb-error-code')]).toEqual(['7', 'tea']);
      expect(['set-cookie', 'server', 'x-powered-by'].map((name) => answer.headers.get(name))).toEqual([
        null,
        null,
        null,
      ]);
    });

    test('decodes a compressed response', async () => {
      const bytes = gzipSync('{"a":1}');
      world().project.answerWith(
        async () => new Response(bytes, { headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } }),
      );

      const answer = await world().request('/auth/v1/settings');

      expect([answer.headers.get('content-encoding'), await answer.json()]).toEqual([null, { a: 1 }]);
    });

    test("follows no redirect, and replaces the project's address in it with ours", async () => {
      const locationOf = async (location: string) => {
        world().project.answerWith(async () => new Response(null, { status: 302, headers: { location } }));
        const answer = await world().request('/auth/v1/authorize?provider=google');
        return [answer.status, answer.headers.get('location')];
      };
      const { project, url } = world();

      expect(await locationOf('https://accounts.example/o?a=b')).toEqual([302, 'https://accounts.example/o?a=b']);
      expect(await locationOf(`${project.url}/auth/v1/verify?x=1`)).toEqual([302, `${url}/auth/v1/verify?x=1`]);
      expect(await locationOf(`${project.url}/elsewhere`)).toEqual([302, `${project.url}/elsewhere`]);
      expect(await locationOf('/auth/v1/verify')).toEqual([302, '/auth/v1/verify']);
    });

    test.each(['text/html', 'image/svg+xml', 'text/javascript', 'application/xhtml+xml'])(
      'serves a stored file of type %s only as an attachment',
      async (type) => {
        world().project.answerWith(async () => new Response('<b>x</b>', { headers: { 'content-type': type } }));

        const answer = await world().request('/storage/v1/object/public/avatars/x');

        expect(answer.headers.get('content-type')).toBe('application/octet-stream');
        expect(answer.headers.get('content-disposition')).toBe('attachment');
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      },
    );

    test('allows no other origin to read a response', async () => {
      world().project.answerWith(async () => Response.json({}, { headers: { 'access-control-allow-origin': '*' } }));

      const answer = await world().request('/auth/v1/settings', { headers: { origin: 'https://evil.example' } });

      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    });

    test("aborts the project's request when the browser disconnects", async () => {
      let ended: unknown = null;
      const reached = new Promise<void>((resolve) => {
        world().project.answerWith(async (request) => {
          request.signal.addEventListener('abort', () => {
            ended = 'aborted';
          });
          resolve();
          await sleep(3000);
          return new Response(null);
        });
      });
      const leaving = new AbortController();

      const pending = world().request('/auth/v1/settings', { signal: leaving.signal });
      await reached;
      leaving.abort();

      await expect(pending).rejects.toThrow();
      await expect.poll(() => ended).toBe('aborted');
    });
  });
});

/** Sends the path unchanged; every client library would normalize it. */
async function rawStatus(url: string, path: string, method = 'GET'): Promise<number> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  await once(socket, 'close');
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
}

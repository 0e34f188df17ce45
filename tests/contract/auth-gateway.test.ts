/**
 * What is refused before a request is interpreted: too large, malformed, a wrong method, or a forged client address.
 */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { MAX_AUTH_BODY_BYTES } from '../../server/backend/auth/auth-deps.ts';
import { clientAddressBehind } from '../../server/backend/client-address.ts';
import { MAX_BODY_BYTES } from '../../server/backend/rest/rest-request.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { backendTestServer, JSON_TYPE } from './support/backend.ts';

describeOneDatabase('HTTP gateway', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));

  const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body, duplex: 'half' };
    return server().request(path, init as RequestInit);
  };

  test.each<[string, string, string, number]>([
    ['auth', '/auth/v1/recover', '{"email": "nobody@example.com"}', MAX_AUTH_BODY_BYTES],
    ['tables', '/rest/v1/user_activity', '[]', MAX_BODY_BYTES],
  ])(
    '%s: accepts a body at the size limit and rejects one byte more, whole or chunked',
    async (_what, path, json, max) => {
      const whole = (bytes: number) => json.padEnd(bytes, ' ');

      const atLimit = [await post(path, whole(max)), await post(path, inPieces(whole(max)))];
      const beyond = [await post(path, whole(max + 1)), await post(path, inPieces(whole(max + 1)))];

      expect(atLimit.map(({ status }) => status)).not.toContain(413);
      expect(beyond.map(({ status }) => status)).toEqual([413, 413]);
      for (const answer of beyond) expect(await answer.json()).toMatchObject({ code: expect.anything() });
    },
  );

  test('auth: rejects a content-length over the limit before reading the body', async () => {
    const answer = await raw(
      `POST /auth/v1/signup HTTP/1.1\r\n${head()}content-type: application/json\r\ncontent-length: 900000000\r\n\r\n`,
    );

    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test.each<[string, string]>([
    ['the path', '/auth/v1/us%00er'],
    ['the query', '/auth/v1/settings?redirect_to=%00'],
    ['a way for browsers', '/auth/v1/verify?token=a%00b&type=signup'],
    ['the way to a provider', '/auth/v1/authorize?provider=%00'],
  ])('auth: rejects an escaped NUL in %s in the protocol shape', async (_where, path) => {
    const answer = await server().request(path, { redirect: 'manual' });

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 400, error_code: 'validation_failed' });
  });

  test.each<[string, string, number]>([
    ['a path', '/rest/v1/pl%00ans', 404],
    ['a filter', '/rest/v1/profiles?id=eq.%00', 400],
    ['a column', '/rest/v1/profiles?select=%00', 400],
  ])('tables: rejects an escaped NUL in %s', async (_where, path, status) => {
    expect((await server().request(path)).status).toBe(status);
  });

  test.each<[string, () => string]>([
    ['a NUL in the path', () => `GET /auth/v1/us\0er HTTP/1.1\r\n${head()}\r\n`],
    ['a NUL in a header', () => `GET /auth/v1/user HTTP/1.1\r\n${head()}x-a: a\0b\r\n\r\n`],
    ['an unknown method', () => `FOO /auth/v1/user HTTP/1.1\r\n${head()}\r\n`],
    [
      'two lengths of one body',
      () =>
        `POST /auth/v1/signup HTTP/1.1\r\n${head()}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
  ])('closes the connection with 400 for %s', async (_what, request) => {
    expect(await raw(request())).toMatch(/^HTTP\/1\.1 400 /);
  });

  test.each<[string, () => string]>([
    ['one header', () => `GET /auth/v1/user HTTP/1.1\r\n${head()}x-a: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['many headers', () => `GET /auth/v1/user HTTP/1.1\r\n${head()}${'x-a: b\r\n'.repeat(2500)}\r\n`],
    ['the address', () => `GET /auth/v1/user?${'a'.repeat(20_000)} HTTP/1.1\r\n${head()}\r\n`],
  ])('rejects %s beyond 16 KiB with 431', async (_what, request) => {
    expect(await raw(request())).toMatch(/^HTTP\/1\.1 431 /);
  });

  test.each(['PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE', 'QUERY'])(
    'auth: answers an unsupported %s with 404 in the protocol shape',
    async (method) => {
      const answer = await raw(`${method} /auth/v1/settings HTTP/1.1\r\n${head()}\r\n`);

      expect(answer).toMatch(/^HTTP\/1\.1 404 /);
      expect(answer).toContain('"error_code":"not_found"');
    },
  );

  test.each<[string, string, RequestInit]>([
    ['an answer', '/auth/v1/settings', {}],
    ['a sign of life', '/auth/v1/health', {}],
    ['a refusal', '/auth/v1/user', {}],
    ['a missing key', '/auth/v1/user', { headers: { apikey: 'wrong' } }],
    ['an unknown call', '/auth/v1/nothing', {}],
    ['a redirect', '/auth/v1/verify?token=x&type=signup', { redirect: 'manual' }],
    ['a body that is no JSON', '/auth/v1/token?grant_type=password', { method: 'POST', body: '{' }],
  ])('auth: forbids caching of %s', async (_what, path, init) => {
    const answer = await server().request(path, init);

    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  const head = () => `host: localhost\r\napikey: ${server().keys.anonKey}\r\nconnection: close\r\n`;

  /** Sends raw bytes on the socket, since no client would send these requests. */
  function raw(request: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let received = '';
      const socket = connect(Number(new URL(server().url).port), '127.0.0.1', () => socket.write(request));
      socket.setTimeout(5000, () => socket.destroy(new Error(`no answer within 5 s: ${received}`)));
      socket.on('data', (bytes) => {
        received += bytes;
        if (received.includes('\r\n\r\n')) socket.end();
      });
      socket.on('close', () => resolve(received));
      // The server may close while we are still writing; what it has sent counts.
      socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)));
    });
  }
});

describeOneDatabase('rate limits behind our own proxy', (kind) => {
  const server = openedForTests(() =>
    backendTestServer(kind, {
      limits: { signInPerAddress: { points: 3, perS: 60 } },
      gateway: { clientAddress: clientAddressBehind(1) },
    }),
  );

  const signIn = async (forwardedFor: string) => {
    const headers = { ...JSON_TYPE, 'x-forwarded-for': forwardedFor };
    const body = JSON.stringify({ email: 'nobody@example.com', password: 'wrong-one' });
    const init = { method: 'POST', headers, body };
    return (await server().request('/auth/v1/token?grant_type=password', init)).status;
  };

  test('counts the address that the proxy saw, not the ones that the caller wrote', async () => {
    const statuses = [];
    for (const written of ['', '198.51.100.1, ', '198.51.100.2, ', '10.0.0.1, 127.0.0.1, ', '192.0.2.9, '])
      statuses.push(await signIn(`${written}192.0.2.1`));

    const another = await signIn('192.0.2.2');

    expect(statuses).toEqual([400, 400, 400, 429, 429]);
    expect(another).toBe(400);
  });
});

function inPieces(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + 8192));
      at += 8192;
    },
  });
}

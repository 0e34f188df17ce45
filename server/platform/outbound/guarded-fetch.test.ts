import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { guardedFetch, type SendOnce } from './guarded-fetch.ts';
import { isPublicAddress, PrivateAddress, publicLookup } from './public-address.ts';
import { HOSTILE_URLS, PRIVATE_ADDRESSES, PUBLIC_ADDRESSES } from './testing/hostile-addresses.ts';

const never = new AbortController().signal;
const reasonOf = (fetched: Promise<unknown>) =>
  fetched.then(
    () => 'answered',
    (error: { details?: { reason?: string } }) => error.details?.reason ?? String(error),
  );

async function loopbackServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers as servers on the public internet would. */
const publicAnswers = (answers: Readonly<Record<string, { statusCode?: number; location?: string }>>) =>
  vi.fn<SendOnce>(async (url) => {
    const { statusCode = 200, location } = answers[url.href] ?? {};
    const headers = location === undefined ? {} : { location };
    return Object.assign(Readable.from([Buffer.from('ok')]), { statusCode, headers });
  });

test.each([
  ...PUBLIC_ADDRESSES.map((one) => [one, true]),
  ...PRIVATE_ADDRESSES.map((one) => [one, false]),
  ['x', false],
])('checks whether %s is public: %s', (address, expected) => {
  expect(isPublicAddress(String(address))).toBe(expected);
});

test.each(HOSTILE_URLS)('sends nothing to %j, also as the target of a redirect', async (address) => {
  const send = publicAnswers({ 'https://feed.test/': { statusCode: 302, location: address } });
  const fetch = guardedFetch({ reach: 'public', send });

  expect(await reasonOf(fetch(address, { signal: never }))).toMatch(/^(?:private address|bad address|not https)$/);
  expect(send).not.toHaveBeenCalled();
  await fetch('https://feed.test/', { signal: never }).catch(() => undefined);
  // A text that is no address may be a path of the public host.
  for (const [{ protocol, hostname, username }] of send.mock.calls)
    expect([protocol, ['feed.test', 'hooks.example.com'].includes(hostname), username]).toEqual(['https:', true, '']);
});

test.each([
  ['http://example.com/', 'not https'],
  ['file:///etc/passwd', 'not https'],
  ['https://user:secret@example.com/', 'bad address'],
  ['no address', 'bad address'],
  ['https://127.0.0.1/', 'private address'],
  ['https://2130706433/', 'private address'],
  ['https://0x7f.1/', 'private address'],
  ['https://[::1]/', 'private address'],
  ['https://[::ffff:10.0.0.1]/', 'private address'],
  ['https://169.254.169.254/latest/meta-data/', 'private address'],
])('does not call %s: %s', async (address, reason) => {
  const send = publicAnswers({});

  expect(await reasonOf(guardedFetch({ reach: 'public', send })(address, { signal: never }))).toBe(reason);
  expect(send).not.toHaveBeenCalled();
});

test('refuses a name of this machine at its lookup', async () => {
  expect(await reasonOf(guardedFetch({ reach: 'public' })('https://localhost:9/', { signal: never }))).toBe(
    'private address',
  );
});

test.each([
  ['one private address among public ones', ['8.8.8.8', '10.0.0.1']],
  ['a private address alone', ['192.168.0.1']],
])('treats a name as private for %s', async (_what, addresses) => {
  const found = addresses.map((address) => ({ address, family: 4 }));

  const outcome = await new Promise((done) => {
    const lookup = publicLookup((_name, _options, callback) => callback(null, found));
    lookup('rebinding.test', { all: true }, (error) => done(error));
  });

  expect(outcome).toBeInstanceOf(PrivateAddress);
});

test.each([
  ['https://169.254.169.254/', 'private address'],
  ['http://public.test/', 'not https'],
  ['file:///etc/passwd', 'not https'],
  ['//[::1]/x', 'private address'],
])('does not follow a redirect to %s: %s', async (location, reason) => {
  const send = publicAnswers({ 'https://feed.test/': { statusCode: 302, location } });

  expect(await reasonOf(guardedFetch({ reach: 'public', send })('https://feed.test/', { signal: never }))).toBe(reason);
  expect(send).toHaveBeenCalledTimes(1);
});

test('follows three redirects, but not a fourth', async () => {
  const chain = Object.fromEntries(
    [1, 2, 3, 4].map((n) => [`https://feed.test/${n}`, { statusCode: 301, location: `/${n + 1}` }]),
  );
  const fetch = guardedFetch({ reach: 'public', send: publicAnswers(chain) });

  expect(await fetch('https://feed.test/2', { signal: never })).toMatchObject({
    status: 200,
    url: 'https://feed.test/5',
  });
  expect(await reasonOf(fetch('https://feed.test/1', { signal: never }))).toBe('too many redirects');
});

test('calls only the loopback in a sandbox, also on redirects', async () => {
  const url = await loopbackServer((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: 'http://10.0.0.1/' });
    response.end('here');
  });
  const fetch = guardedFetch({ reach: 'loopback' });

  expect((await fetch(url, { signal: never })).body.toString()).toBe('here');
  expect(await reasonOf(fetch(`${url}/away`, { signal: never }))).toBe('address outside the sandbox');
  expect(await reasonOf(fetch('https://example.com/', { signal: never }))).toBe('address outside the sandbox');
});

test('reads compressed answers, and limits their decompressed size', async () => {
  const url = await loopbackServer((request, response) => {
    const isGzip = request.url === '/gzip';
    const body = Buffer.from(request.url === '/bomb' ? '0'.repeat(5 << 20) : 'words');
    response.writeHead(200, { 'content-encoding': isGzip ? 'gzip' : 'br' });
    response.end(isGzip ? gzipSync(body) : brotliCompressSync(body));
  });
  const fetch = guardedFetch({ reach: 'loopback' });

  for (const path of ['/gzip', '/br'])
    expect((await fetch(url + path, { signal: never })).body.toString()).toBe('words');
  expect(await reasonOf(fetch(`${url}/bomb`, { signal: never }))).toBe('too large');
});

test('gives up answers that are too large, too slow or incomplete', async () => {
  const url = await loopbackServer((request, response) => {
    if (request.url === '/large') response.end(Buffer.alloc(3 << 20));
    else if (request.url === '/trickle') setInterval(() => response.write('.'), 20).unref();
    else if (request.url === '/broken') response.writeHead(200, { 'content-length': '100' }).write('half');
    if (request.url === '/broken') setTimeout(() => response.destroy(), 20);
  });
  const fetch = guardedFetch({ reach: 'loopback' });
  const hurried = guardedFetch({ reach: 'loopback', timeoutMs: 500 });

  expect(await reasonOf(fetch(`${url}/large`, { signal: never }))).toBe('too large');
  expect(await reasonOf(hurried(`${url}/trickle`, { signal: never }))).toBe('timeout');
  expect(await reasonOf(hurried(`${url}/silent`, { signal: never }))).toBe('timeout');
  expect(await reasonOf(fetch(`${url}/broken`, { signal: never }))).toBe('not reached');
});

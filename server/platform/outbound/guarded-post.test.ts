/** The same strangers' addresses as the guard of fetches, for requests that are sent to them. */
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { guardedPost } from './guarded-post.ts';
import { addressFault, CallFailed } from './guarded-request.ts';
import { publicLookup } from './public-address.ts';
import { HOSTILE_URLS, LOCAL_URLS, OTHER_PORTS, PRIVATE_ADDRESSES } from './testing/hostile-addresses.ts';

const never = new AbortController().signal;
const REQUEST = { headers: {}, body: '{}', signal: never };

async function loopbackServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function postTo(sandboxUrl: string, timeoutMs = 5000) {
  return guardedPost({ sandboxUrl, timeoutMs, startLength: 20 });
}

const reasonOf = (posted: Promise<unknown>) =>
  posted.then(
    () => 'answered',
    (error: unknown) => (error instanceof CallFailed ? error.message : String(error)),
  );

test.each([
  ['https://hooks.example.com/x?y=1', null],
  ['https://8.8.8.8/', null],
  ['https://[2606:4700::1]/', null],
  ['http://hooks.example.com/', 'not https'],
  ['https://hooks.example.com:8443/', 'other port'],
  ['https://user:secret@hooks.example.com/', 'bad address'],
  ['no address', 'bad address'],
  ['file:///etc/passwd', 'not https'],
  ['https://127.0.0.1/', 'private address'],
  ['https://2130706433/', 'private address'],
  ['https://0x7f.1/', 'private address'],
  ['https://017700000001/', 'private address'],
  ['https://[::1]/', 'private address'],
  ['https://[::ffff:10.0.0.1]/', 'private address'],
  ['https://[64:ff9b::7f00:1]/', 'private address'],
  ['https://169.254.169.254/latest/meta-data/', 'private address'],
  ['https://localhost/', 'private address'],
  ['https://LOCALHOST./', 'private address'],
  ['https://metadata.google.internal/', 'private address'],
  ['https://printer.local/', 'private address'],
  ['https://intranet/', 'private address'],
  ['http://127.0.0.1:9/', 'not https'],
])('judges %s: %s', async (address, fault) => {
  expect(addressFault(address, null)).toBe(fault);
  if (fault === null) return;
  const lookup = vi.fn();
  expect(
    await reasonOf(guardedPost({ sandboxUrl: null, timeoutMs: 500, startLength: 20, lookup })(address, REQUEST)),
  ).toBe(fault);
  expect(lookup).not.toHaveBeenCalled();
});

test.each([...HOSTILE_URLS, ...LOCAL_URLS, ...OTHER_PORTS])('neither looks up nor calls %j', async (address) => {
  const lookup = vi.fn();
  const post = guardedPost({ sandboxUrl: null, timeoutMs: 500, startLength: 20, lookup });

  expect(await reasonOf(post(address, REQUEST))).toMatch(/^(?:private address|bad address|not https|other port)$/);
  expect(lookup).not.toHaveBeenCalled();
});

test.each(PRIVATE_ADDRESSES)('connects to nothing when a public name leads to %s', async (address) => {
  const lookup = publicLookup((_name, _options, callback) =>
    callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]),
  );
  const post = guardedPost({ sandboxUrl: null, timeoutMs: 2000, startLength: 20, lookup });

  expect(await reasonOf(post('https://rebinding.example/', REQUEST))).toBe('private address');
});

test('calls the sandbox’s own address, and no other address of this machine', async () => {
  const url = await loopbackServer((_, response) => response.end());

  expect(await postTo(url)(`${url}/hooks/1`, REQUEST)).toMatchObject({ status: 200 });
  expect(addressFault(url.replace('127.0.0.1', '127.0.0.2'), url)).toBe('not https');
  expect(addressFault('http://127.0.0.1:1/hooks', url)).toBe('not https');
});

test('connects to nothing when one of the addresses of a name is private', async () => {
  const found = ['8.8.8.8', '127.0.0.1'].map((address) => ({ address, family: 4 }));
  const lookup = publicLookup((_name, _options, callback) => callback(null, found));
  const post = guardedPost({ sandboxUrl: null, timeoutMs: 2000, startLength: 20, lookup });

  expect(await reasonOf(post('https://rebinding.example/', REQUEST))).toBe('private address');
});

test('looks a name up once a call, and connects to what was checked', async () => {
  const answers = ['8.8.8.8', '127.0.0.1'];
  const lookups: string[] = [];
  const lookup = publicLookup((_name, _options, callback) => {
    const address = answers[Math.min(lookups.length, 1)] ?? '';
    lookups.push(address);
    callback(null, [{ address, family: 4 }]);
  });
  const post = guardedPost({ sandboxUrl: null, timeoutMs: 300, startLength: 20, lookup });

  // Nothing on this machine hears of it: the second answer is never requested.
  expect(await reasonOf(post('https://rebinding.example/', REQUEST))).not.toBe('private address');
  expect(lookups).toEqual(['8.8.8.8']);
  expect(await reasonOf(post('https://rebinding.example/', REQUEST))).toBe('private address');
});

test('follows no redirect', async () => {
  const paths: string[] = [];
  const url = await loopbackServer((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(302, { location: '/inside' }).end();
  });

  expect(await postTo(url)(`${url}/hooks/1`, REQUEST)).toMatchObject({ status: 302 });
  expect(paths).toEqual(['/hooks/1']);
});

test('reads the first characters of an endless answer, and closes the connection', async () => {
  let written = 0;
  const closed = Promise.withResolvers<void>();
  const url = await loopbackServer((_, response) => {
    response.once('close', () => closed.resolve());
    const write = () => {
      while (!response.destroyed) {
        written += 65_536;
        if (!response.write('x'.repeat(65_536))) return void response.once('drain', write);
      }
    };
    write();
  });

  expect(await postTo(url)(`${url}/hooks/echo`, REQUEST)).toMatchObject({ status: 200, start: 'x'.repeat(20) });
  await closed.promise;
  expect(written).toBeLessThan(20_000_000);
});

test('gives up on a head that comes byte by byte', async () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined).write('HTTP/1.1 200 OK\r\n');
    setInterval(() => socket.write('x'), 20).unref();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  expect(await reasonOf(postTo(url, 300)(`${url}/hooks/slow`, REQUEST))).toBe('timeout');
});

test('gives up on silence and on endless heads, and names why', async () => {
  const url = await loopbackServer((request, response) => {
    if (request.url === '/hooks/head') response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end();
    if (request.url === '/hooks/hang-up') response.destroy();
  });

  expect(await reasonOf(postTo(url, 300)(`${url}/hooks/silent`, REQUEST))).toBe('timeout');
  expect(await reasonOf(postTo(url)(`${url}/hooks/head`, REQUEST))).toBe('HPE_HEADER_OVERFLOW');
  expect(await reasonOf(postTo(url)(`${url}/hooks/hang-up`, REQUEST))).toBe('ECONNRESET');
});

test('takes the status of an answer whose body breaks off or never comes', async () => {
  const url = await loopbackServer((request, response) => {
    response.writeHead(202, { 'content-length': '100', 'retry-after': '7' }).write('\u0000half');
    if (request.url === '/hooks/broken') setTimeout(() => response.destroy(), 20);
  });

  for (const name of ['broken', 'silent'])
    expect(await postTo(url)(`${url}/hooks/${name}`, REQUEST)).toEqual({ status: 202, start: '', retryAfterMs: 7000 });
});

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { environmentAttribute, UNKNOWN_ENVIRONMENT } from '#domain/site/environment.ts';
import { ORIGIN_PLACEHOLDER } from '#domain/site/page-head.ts';
import { securityHeaders } from '../guards/security-headers.ts';
import { assetMemory } from './asset-memory.ts';
import { FAILED_DOCS } from './docs-pending.ts';
import { siteDocuments } from './site-documents.ts';
import { staticFiles } from './static-files.ts';

const ORIGIN = 'https://kat.test';
const PAGES = ['/', '/about'];
let siteDir: string;

beforeAll(() => {
  siteDir = mkdtempSync(join(tmpdir(), 'kat-files-'));
  for (const folder of ['about', 'assets', 'paper', 'docs/guides', 'docs/assets', '.vite'])
    mkdirSync(join(siteDir, folder), { recursive: true });
  writeFileSync(join(siteDir, 'index.html'), `<title>Home</title><link href="${ORIGIN_PLACEHOLDER}/">`);
  writeFileSync(join(siteDir, 'about/index.html'), `<title>About</title><link href="${ORIGIN_PLACEHOLDER}/about">`);
  writeFileSync(join(siteDir, '404.html'), '<title>Not found</title>');
  writeFileSync(join(siteDir, 'assets/a-1.js'), 'void 0');
  writeFileSync(join(siteDir, 'theme.js'), 'void 0');
  writeFileSync(join(siteDir, '.vite/manifest.json'), '{}');
  writeFileSync(join(siteDir, '.env'), 'secret');
  writeFileSync(join(siteDir, 'paper/index.html'), '<title>Paper</title>');
  writeFileSync(join(siteDir, 'docs/guides/start.html'), '<title>Start</title>');
  writeFileSync(join(siteDir, 'docs/assets/a-1.js'), 'void 0');
});
afterAll(() => rmSync(siteDir, { recursive: true, force: true }));

async function get(path: string, headers: Record<string, string> = {}, origin = ORIGIN) {
  const pageOf = (path: string) => PAGES.find((page) => page === (path.replace(/\/+$/, '') || '/')) ?? null;
  const app = staticFiles({ siteDir, pageOf, origin: () => origin });
  const response = await app.request(`${ORIGIN}${path}`, { headers });
  return {
    response,
    bytes: Buffer.from(await response.arrayBuffer()),
    header: (name: string) => response.headers.get(name),
  };
}

test.each([
  ['/', 200, 'Home'],
  ['/about', 200, 'About'],
  ['/no/such/page', 404, 'Not found'],
  ['/404.html', 404, 'Not found'],
  ['/paper/', 200, 'Paper'],
  ['/docs/guides/start', 200, 'Start'],
  ['/docs/guides/none', 404, 'Not found'],
])('answers %s with %i and its own document', async (path, status, title) => {
  const { response, bytes } = await get(path);

  expect(response.status).toBe(status);
  expect(bytes.toString()).toContain(`<title>${title}</title>`);
});

describe('documentation that is being built', () => {
  const PATHS = ['/docs/', '/docs/guides/start', '/docs/assets/a-1.js'];
  const link = () => join(siteDir, 'docs');
  const built = () => `${link()}-built`;
  beforeEach(() => renameSync(link(), built()));
  afterEach(() => {
    rmSync(link());
    renameSync(built(), link());
  });

  test('answers 503 with a page that reloads itself, and is not stored', async () => {
    symlinkSync(join(siteDir, 'docs-0123456789ab'), link(), 'junction');

    for (const path of PATHS) {
      const { response, bytes, header } = await get(path);

      expect(response.status).toBe(503);
      expect(header('retry-after')).toBe('5');
      expect(header('cache-control')).toBe('no-store');
      expect(bytes.toString()).toContain('<meta http-equiv="refresh" content="5">');
      expect(bytes.toString()).toContain('The documentation is being built.');
    }
    expect((await get('/no/such/page')).response.status).toBe(404);
    expect((await get('/')).response.status).toBe(200);
  });

  test('serves the pages as soon as they are there', async () => {
    symlinkSync(built(), link(), 'junction');

    expect((await get('/docs/guides/start')).response.status).toBe(200);
    expect((await get('/docs/guides/none')).response.status).toBe(404);
  });

  test('reports a failed build without reloading', async () => {
    symlinkSync(join(siteDir, FAILED_DOCS), link(), 'junction');

    const { response, bytes, header } = await get('/docs/');

    expect(response.status).toBe(503);
    expect(header('retry-after')).toBeNull();
    expect(bytes.toString()).not.toContain('refresh');
    expect(bytes.toString()).toContain('could not be built');
  });
});

test('writes the origin into a document, and escapes markup in a host name', async () => {
  const plain = await get('/about');
  const odd = await get('/about', {}, 'https://a"><script>.test');

  expect(plain.bytes.toString()).toContain('href="https://kat.test/about"');
  expect(odd.bytes.toString()).toContain('href="https://a&#34;&#62;&#60;script&#62;.test/about"');
});

test.each([
  ['/about/', '/about'],
  ['/about/?a=1&b=//evil.test', '/about?a=1&b=//evil.test'],
  ['/about//', '/about'],
  ['/about/index.html', 404],
  ['//evil.test/', 404],
])('redirects %s to %s, because a page has one address', async (path, expected) => {
  const { response, header } = await get(path);

  if (typeof expected === 'number') expect(response.status).toBe(expected);
  else expect([response.status, header('location')]).toEqual([308, expected]);
});

test.each([
  ['gzip, deflate, br', 'br', (bytes: Buffer) => brotliDecompressSync(bytes)],
  ['gzip', 'gzip', (bytes: Buffer) => gunzipSync(bytes)],
  ['br;q=0, gzip;q=0.5', 'gzip', (bytes: Buffer) => gunzipSync(bytes)],
  ['', null, (bytes: Buffer) => bytes],
])('sends a caller that accepts %j the encoding %s', async (accepted, encoding, unpack) => {
  const { bytes, header } = await get('/about', { 'accept-encoding': accepted });

  expect(header('content-encoding')).toBe(encoding);
  expect(header('vary')).toBe('accept-encoding');
  expect(unpack(bytes).toString()).toContain('<title>About</title>');
});

test('answers 304 for a document the browser has, only for the same encoding and origin', async () => {
  const tag = (await get('/about', { 'accept-encoding': 'br' })).header('etag') ?? '';

  const same = await get('/about', { 'accept-encoding': 'br', 'if-none-match': `"x", W/${tag}` });
  const otherForm = await get('/about', { 'accept-encoding': 'gzip', 'if-none-match': tag });
  const otherOrigin = await get('/about', { 'accept-encoding': 'br', 'if-none-match': tag }, 'https://other.test');

  expect([same.response.status, same.bytes.length]).toEqual([304, 0]);
  expect(otherForm.response.status).toBe(200);
  expect(otherOrigin.response.status).toBe(200);
});

test.each([
  ['/assets/a-1.js', 'public, max-age=31536000, immutable'],
  ['/theme.js', 'public, max-age=3600'],
  ['/paper/', 'no-cache'],
  ['/docs/assets/a-1.js', 'public, max-age=31536000, immutable'],
  ['/docs/guides/start', 'no-cache'],
  ['/about', 'no-cache'],
])('caches %s: %s', async (path, caching) => {
  expect((await get(path)).header('cache-control')).toBe(caching);
});

test.each([
  ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
  ['bytes=7-', 206, '789', 'bytes 7-9/10'],
  ['bytes=10-', 416, '', 'bytes */10'],
])('serves the requested range of a film: %s', async (range, status, part, contentRange) => {
  writeFileSync(join(siteDir, 'film.mp4'), '0123456789');

  const { response, bytes, header } = await get('/film.mp4', { range });

  expect(response.status).toBe(status);
  expect(header('content-range')).toBe(contentRange);
  if (status === 206) {
    expect(bytes.toString()).toBe(part);
    expect(header('content-type')).toBe('video/mp4');
  }
});

test.each([
  ['captions.vtt', /^text\/vtt/],
  ['icon.ico', /^image\/(x-icon|vnd\.microsoft\.icon)/],
  ['site.webmanifest', /^application\/manifest\+json/],
  ['picture.webp', /^image\/webp/],
  ['picture.svg', /^image\/svg\+xml/],
])('serves %s with its content type', async (name, type) => {
  writeFileSync(join(siteDir, name), 'content');

  expect((await get(`/${name}`)).header('content-type')).toMatch(type);
});

test('reads a hashed file once per encoding, and then serves it from memory', async () => {
  const path = join(siteDir, 'assets/b-2.js');
  writeFileSync(path, 'plain');
  writeFileSync(`${path}.br`, 'short');
  const app = staticFiles({ siteDir, pageOf: () => null, origin: () => ORIGIN });
  const request = async (headers: Record<string, string>, method = 'GET') => {
    const answer = await app.request(`${ORIGIN}/assets/b-2.js`, { method, headers });
    return [answer.status, await answer.text(), answer.headers.get('content-encoding')];
  };
  const first = [await request({ 'accept-encoding': 'br' }), await request({})];
  const tag = (await app.request(`${ORIGIN}/assets/b-2.js`)).headers.get('etag') ?? '';
  for (const file of [path, `${path}.br`]) rmSync(file);

  const again = [await request({ 'accept-encoding': 'br' }), await request({})];

  expect(first).toEqual([
    [200, 'short', 'br'],
    [200, 'plain', null],
  ]);
  expect(again).toEqual(first);
  expect(await request({ 'if-none-match': tag })).toEqual([304, '', null]);
  expect((await request({ range: 'bytes=0-1' }))[0]).toBe(404);
});

test('limits the cache of hashed files, evicting the oldest', async () => {
  const assets = assetMemory(10);
  const app = new Hono().get(
    '*',
    async (c) => assets.find(c) ?? assets.store(c, new Response('12345', { headers: { n: '1' } })),
  );
  const isCached = async (path: string): Promise<boolean> => {
    const found = new Hono().get('*', (c) => assets.find(c) ?? c.text('read'));
    return (await (await found.request(path)).text()) === '12345';
  };
  for (const path of ['/a', '/b', '/c']) await app.request(path);

  expect([await isCached('/a'), await isCached('/b'), await isCached('/c')]).toEqual([false, true, true]);
});

test('answers 404 without a page for a deleted file of an earlier build', async () => {
  const { response, bytes } = await get('/assets/gone-1.js');

  expect(response.status).toBe(404);
  expect(bytes.toString()).not.toContain('<title>');
});

test.each(['/.vite/manifest.json', '/.env', '/%2evite/manifest.json', '/about/../.env', '/.vite/'])(
  'does not serve %s, which only the build needs',
  async (path) => {
    const { response, bytes } = await get(path);

    expect(response.status).toBe(404);
    expect(bytes.toString()).not.toMatch(/^\{|secret/);
  },
);

test('answers 304 for a file the browser has, by its tag or its date', async () => {
  const { header } = await get('/theme.js');
  const [etag, date] = [header('etag') ?? '', header('last-modified') ?? ''];
  expect([etag, date]).toEqual([expect.stringMatching(/^W\/"/), expect.stringMatching(/GMT$/)]);

  const byTag = await get('/theme.js', { 'if-none-match': `"x", ${etag}` });
  const byDate = await get('/theme.js', { 'if-modified-since': date });
  const older = await get('/theme.js', { 'if-modified-since': new Date(Date.parse(date) - 1000).toUTCString() });
  const nonsense = await get('/theme.js', { 'if-modified-since': 'soon' });
  // The tag takes precedence over the date.
  const changed = await get('/theme.js', { 'if-none-match': '"x"', 'if-modified-since': date });

  for (const same of [byTag, byDate]) {
    expect([same.response.status, same.bytes.length]).toEqual([304, 0]);
    expect([same.header('etag'), same.header('cache-control')]).toEqual([etag, 'public, max-age=3600']);
    expect(same.header('content-length')).toBe(null);
  }
  for (const other of [older, nonsense, changed]) expect(other.bytes.toString()).toBe('void 0');
});

test('limits the cache of documents over many host names, evicting the oldest', async () => {
  const documents = siteDocuments(siteDir);
  const textOf = async (origin: string) =>
    Buffer.from((await documents.read('room.html', origin))?.bodies.identity ?? []).toString();
  writeFileSync(join(siteDir, 'room.html'), 'before');
  for (let n = 0; n < 300; n++) await textOf(`https://${n}.test`);
  writeFileSync(join(siteDir, 'room.html'), 'after');

  expect([await textOf('https://299.test'), await textOf('https://44.test')]).toEqual(['before', 'before']);
  expect(await textOf('https://0.test')).toBe('after');
});

test('writes the environment into a document, and leaves it unknown without one', async () => {
  writeFileSync(join(siteDir, 'room.html'), `<html lang="en" ${UNKNOWN_ENVIRONMENT}>`);
  const textOf = async (...environment: [string?]) =>
    Buffer.from(
      (await siteDocuments(siteDir, ...environment).read('room.html', ORIGIN))?.bodies.identity ?? '',
    ).toString();

  expect(await textOf(environmentAttribute('simulated', false))).toBe(
    '<html lang="en" data-environment="simulated no-money">',
  );
  expect(await textOf()).toBe('<html lang="en" data-environment="unknown">');
});

test('allows only the build’s own scripts in a document, and none from a host name', async () => {
  const [script, foreign] = ['theme("dark")', 'steal()'];
  const ownDir = join(siteDir, 'own');
  mkdirSync(ownDir);
  writeFileSync(join(ownDir, '404.html'), `<script>${script}</script><link href="${ORIGIN_PLACEHOLDER}">`);
  const app = new Hono();
  app.use('*', securityHeaders({ isHttps: false }));
  const origin = () => `https://a"><script>${foreign}</script>`;
  app.route('/', staticFiles({ siteDir: ownDir, pageOf: () => null, origin }));

  const policy = (await app.request('/none')).headers.get('content-security-policy') ?? '';

  const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');
  expect(policy).toContain(`script-src 'self' 'sha256-${hashOf(script)}';`);
  expect(policy).not.toContain(hashOf(foreign));
});

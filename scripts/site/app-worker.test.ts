/** The worker of an installed app, as a browser runs it: what it handles, what it caches, what it shows offline. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';

const PUBLIC = join(import.meta.dirname, '../../web/public');
const SOURCE = readFileSync(join(PUBLIC, 'app-worker.js'), 'utf8');
const ORIGIN = 'https://kat.test';
const PARTS = ['/offline.html', '/offline.css', '/theme.js', '/favicon.svg'];

interface PageRequest {
  url: string;
  mode: string;
  destination: string;
}

/** @param network  rejects to simulate being offline */
function run(network: (request: { url: string }) => Promise<Response>) {
  const listeners = new Map<string, (event: object) => void>();
  const stores = new Map<string, Map<string, Response>>([
    ['offline-older', new Map()],
    ['push', new Map()],
  ]);
  const open = async (name: string) => {
    const store = stores.get(name) ?? new Map<string, Response>();
    stores.set(name, store);
    return {
      addAll: async (requests: { url: string }[]) => {
        for (const { url } of requests) store.set(url, new Response(`cached ${url}`));
      },
      match: async (name: string) => store.get(name)?.clone(),
    };
  };
  const self = {
    location: { origin: ORIGIN },
    skipWaiting: vi.fn(),
    registration: { navigationPreload: { enable: vi.fn() } },
    clients: { claim: vi.fn() },
    caches: { open, keys: async () => [...stores.keys()], delete: async (name: string) => stores.delete(name) },
    addEventListener: (name: string, listener: (event: object) => void) => void listeners.set(name, listener),
  };
  class Request {
    readonly url: string;
    constructor(url: string) {
      this.url = url;
    }
  }
  runInNewContext(SOURCE, { self, URL, Response, Request, fetch: network });
  const begin = async () => {
    for (const name of ['install', 'activate']) {
      const work: Promise<unknown>[] = [];
      listeners.get(name)?.({ waitUntil: (one: Promise<unknown>) => work.push(one) });
      await Promise.all(work);
    }
  };
  /** The text that the worker returns; null: it does not handle the request. */
  const answerOf = async (request: PageRequest, preloaded?: Response): Promise<string | null> => {
    const answers: Promise<Response>[] = [];
    const respondWith = (one: Promise<Response>) => answers.push(one);
    listeners.get('fetch')?.({ request, preloadResponse: Promise.resolve(preloaded), respondWith });
    const [answer] = await Promise.all(answers);
    return answer === undefined ? null : answer.text();
  };
  return { begin, answerOf, stores };
}

const page = (path: string): PageRequest => ({ url: ORIGIN + path, mode: 'navigate', destination: 'document' });
const file = (path: string): PageRequest => ({ url: ORIGIN + path, mode: 'cors', destination: 'script' });
const away = () => Promise.reject(new TypeError('Failed to fetch'));
const there = async ({ url }: { url: string }) => new Response(`new ${url}`);

test('shows without a network the offline page for every page, with its own style, script and picture', async () => {
  const { begin, answerOf } = run(away);
  await begin();

  expect(await answerOf(page('/kat'))).toBe('cached /offline.html');
  for (const part of PARTS) expect(await answerOf(file(part))).toBe(`cached ${part}`);
});

test('serves pages from the network, and the request that it made while starting', async () => {
  const { begin, answerOf } = run(there);
  await begin();

  expect(await answerOf(page('/kat'))).toBe(`new ${ORIGIN}/kat`);
  expect(await answerOf(page('/kat'), new Response('preloaded'))).toBe('preloaded');
  expect(await answerOf(file('/offline.css'))).toBe(`new ${ORIGIN}/offline.css`);
});

test.each([
  ['a call', { ...file('/rest/v1/profiles'), destination: '' }],
  ['a stream of a forecast', { ...file('/stream-kat2'), destination: '' }],
  ['code of the site', file('/assets/main.js')],
  ['a frame', { ...page('/payment'), destination: 'iframe' }],
  ['a file of that name elsewhere', { ...file('/'), url: 'https://elsewhere.test/offline.css' }],
])('handles no %s', async (_what, request) => {
  const { begin, answerOf } = run(away);
  await begin();

  expect(await answerOf(request)).toBeNull();
});

test('caches nothing but that page, and deletes what an older worker cached', async () => {
  const { begin, answerOf, stores } = run(there);
  await begin();
  await answerOf(page('/kat'));

  const [name = ''] = [...stores.keys()].filter((one) => one.startsWith('offline-'));
  expect([...stores.keys()].toSorted()).toEqual([name, 'push']);
  expect([...(stores.get(name)?.keys() ?? [])]).toEqual(PARTS);
});

test('names the content that it caches: other content makes another worker', () => {
  const hash = createHash('sha256');
  for (const part of PARTS) hash.update(readFileSync(join(PUBLIC, part)));

  expect(/const VERSION = '(\w+)'/.exec(SOURCE)?.[1]).toBe(hash.digest('hex').slice(0, 12));
});

/** A push service on loopback (RFC 8030): checks the sender, decrypts, and shows messages under /dev/push. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { isToLoopback } from '../loopback-host.ts';
import { closeServer, listenOnLoopback } from '../loopback-server.ts';
import { PAGE_STYLE } from '../page-shell.ts';
import { sendAnswer } from '../rest-answer.ts';
import { type BrowserKeys, browserKeys } from './browser-keys.ts';
import { PUSH_PATH, pushPage, type ReceivedPush, STYLE_PATH } from './push-page.ts';
import { vapidFault } from './vapid.ts';

export interface SandboxSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** A fault of the next notification, applied before it is read. */
export interface PushFault {
  status: number;
  retryAfter?: string;
  /** Accepts it, but cuts the connection, so that the sender receives no answer. */
  isCut?: boolean;
}

export interface SandboxPush {
  url: string;
  /** Subscribes as a browser, with its keys bound to a sender's. @param publicKey  base64url */
  subscribe(publicKey: string): SandboxSubscription;
  /** The browser unsubscribes: 410 from then on. */
  unsubscribe(endpoint: string): void;
  received(): readonly ReceivedPush[];
  /** One for each of the next notifications. */
  failNext(...faults: PushFault[]): void;
  close(): Promise<void>;
}

interface Subscriber {
  keys: BrowserKeys;
  publicKey: string;
  isExpired: boolean;
}

/** Limit of a whole body. RFC 8291 allows a record 4096 bytes, and every service refuses more. */
const MAX_BODY_BYTES = 4096;
const MAX_STORED = 200;
const MAX_SUBSCRIBERS = 500;
const subscribeSchema = z.object({ publicKey: z.string().check(z.regex(/^[\w-]{87}$/)) });

/** @param options.nowMs  checks tokens; default: the system clock, since their times ignore the product's clock */
export async function startSandboxPush(options: { nowMs?: () => number } = {}): Promise<SandboxPush> {
  const nowMs = options.nowMs ?? Date.now;
  const subscribers = new Map<string, Subscriber>();
  const received: ReceivedPush[] = [];
  const faults: PushFault[] = [];
  let url = '';

  function subscribe(publicKey: string): SandboxSubscription {
    const id = randomUUID();
    const keys = browserKeys();
    subscribers.set(id, { keys, publicKey, isExpired: false });
    const [oldest] = subscribers.keys();
    if (subscribers.size > MAX_SUBSCRIBERS && oldest !== undefined) subscribers.delete(oldest);
    return { endpoint: `${url}/push/${id}`, keys: { p256dh: keys.p256dh, auth: keys.auth } };
  }

  function take(subscriber: Subscriber, request: IncomingMessage, body: Buffer): number {
    if (subscriber.isExpired) return 410;
    const { authorization, ttl } = request.headers;
    const fault = vapidFault(authorization, { origin: url, publicKey: subscriber.publicKey, nowS: nowMs() / 1000 });
    if (fault !== null) return authorization === undefined ? 401 : 403;
    if (typeof ttl !== 'string' || !/^\d+$/.test(ttl)) return 400;
    if (request.headers['content-encoding'] !== 'aes128gcm') return 415;
    if (body.length > MAX_BODY_BYTES) return 413;
    const text = readable(subscriber.keys, body);
    if (text === null) return 400;
    received.push({ text, ttlS: Number(ttl), urgency: String(request.headers.urgency ?? 'normal'), atMs: nowMs() });
    if (received.length > MAX_STORED) received.shift();
    return 201;
  }

  async function answerPush(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    const body = await bodyOf(request);
    const subscriber = subscribers.get(id);
    const fault = subscriber === undefined ? undefined : faults.shift();
    if (fault !== undefined && fault.isCut !== true) {
      const headers = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter };
      sendAnswer(response, { status: fault.status, body: '', headers });
      return;
    }
    const status = subscriber === undefined ? 404 : take(subscriber, request, body);
    if (fault?.isCut === true) response.destroy();
    else sendAnswer(response, { status, body: '', headers: status === 201 ? { location: `${url}/sent/${id}` } : {} });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request;
    const path = request.url ?? '/';
    const id = /^\/push\/([\w-]+)$/.exec(path)?.[1];
    if (!isToLoopback(request)) return sendAnswer(response, { status: 421, body: { code: 'request/wrong-host' } });
    if (method === 'POST' && id !== undefined) return answerPush(request, response, id);
    if (method === 'POST' && path === `${PUSH_PATH}/subscriptions`) {
      const wanted = subscribeSchema.safeParse(parsedJson((await bodyOf(request)).toString('utf8')));
      if (!wanted.success) return sendAnswer(response, { status: 400, body: { code: 'request/invalid' } });
      return sendAnswer(response, { status: 201, body: subscribe(wanted.data.publicKey) });
    }
    if (method === 'DELETE' && path === `${PUSH_PATH}.json`) {
      received.length = 0;
      return sendAnswer(response, { status: 204, body: '' });
    }
    if (method !== 'GET' && method !== 'HEAD')
      return sendAnswer(response, { status: 405, body: { code: 'request/method-not-allowed' } });
    if (path === `${PUSH_PATH}.json`) return sendAnswer(response, { status: 200, body: received });
    const html = { 'content-type': 'text/html; charset=utf-8' };
    if (path === PUSH_PATH) return sendAnswer(response, { status: 200, body: pushPage(received), headers: html });
    if (path === STYLE_PATH)
      return sendAnswer(response, {
        status: 200,
        body: PAGE_STYLE,
        headers: { 'content-type': 'text/css; charset=utf-8' },
      });
    return sendAnswer(response, { status: 404, body: { code: 'request/not-found' } });
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  url = `http://127.0.0.1:${await listenOnLoopback(server)}`;

  return {
    url,
    subscribe,
    unsubscribe(endpoint) {
      const subscriber = subscribers.get(endpoint.slice(endpoint.lastIndexOf('/') + 1));
      if (subscriber !== undefined) subscriber.isExpired = true;
    },
    received: () => received,
    failNext: (...next) => void faults.push(...next),
    async close() {
      await closeServer(server);
    },
  };
}

function readable(keys: BrowserKeys, body: Buffer): string | null {
  try {
    return keys.read(body);
  } catch {
    // For another browser, or damaged: the answer reports it.
    return null;
  }
}

/** Stores at least one byte more of a body over the limit, so that it can be refused as too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    if (bytes <= MAX_BODY_BYTES) chunks.push(part);
    bytes += part.length;
  }
  return Buffer.concat(chunks);
}

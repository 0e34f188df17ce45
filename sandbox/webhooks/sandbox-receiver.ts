/**
 * A receiver of webhooks on loopback, for trying them without an address on the internet. `/hooks/NAME` takes every
 * request; a few names answer as broken receivers do. What arrived is shown under /dev/webhooks.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isToLoopback } from '../loopback-host.ts';
import { closeServer, listenOnLoopback } from '../loopback-server.ts';
import { sendAnswer } from '../rest-answer.ts';
import { RECEIVER_PATH, type ReceivedWebhook, receiverPage, STYLE, STYLE_PATH } from './receiver-page.ts';

export interface SandboxReceiver {
  url: string;
  /** Oldest first. */
  received(): readonly ReceivedWebhook[];
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 16_000;
const MAX_STORED = 200;
const SLOW_MS = 3000;
const ECHOED_BYTES = 5_000_000;

type Behaviour = (response: ServerResponse) => void | Promise<void>;

/** By the name in the address; any other name answers 204. */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  broken: (response) => sendAnswer(response, { status: 500, body: { error: 'This receiver is broken.' } }),
  deleted: (response) => sendAnswer(response, { status: 410, body: '' }),
  redirect: (response) => sendAnswer(response, { status: 302, body: '', headers: { location: '/hooks/elsewhere' } }),
  'hangs-up': (response) => void response.destroy(),
  slow: async (response) => {
    await sleep(SLOW_MS, undefined, { ref: false });
    sendAnswer(response, { status: 204, body: '' });
  },
  echo: (response) => sendAnswer(response, { status: 200, body: 'x'.repeat(ECHOED_BYTES) }),
};

export async function startSandboxReceiver(options: { nowMs?: () => number } = {}): Promise<SandboxReceiver> {
  const nowMs = options.nowMs ?? Date.now;
  const received: ReceivedWebhook[] = [];

  async function take(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    const body = await textOf(request);
    const { 'kat-signature': signature, 'kat-event-type': event } = request.headers;
    received.push({ name, body, signature: String(signature ?? ''), event: String(event ?? ''), atMs: nowMs() });
    if (received.length > MAX_STORED) received.shift();
    const behave = BEHAVIOURS[name] ?? ((answer) => sendAnswer(answer, { status: 204, body: '' }));
    await behave(response);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request;
    const path = request.url ?? '/';
    const name = /^\/hooks\/([\w-]{1,60})$/.exec(path)?.[1];
    if (!isToLoopback(request)) return sendAnswer(response, { status: 421, body: { code: 'request/wrong-host' } });
    if (method === 'POST' && name !== undefined) return take(request, response, name);
    if (method !== 'GET' && method !== 'HEAD')
      return sendAnswer(response, { status: 405, body: { code: 'request/method-not-allowed' } });
    if (path === `${RECEIVER_PATH}.json`) return sendAnswer(response, { status: 200, body: received });
    const html = { 'content-type': 'text/html; charset=utf-8' };
    if (path === RECEIVER_PATH)
      return sendAnswer(response, { status: 200, body: receiverPage(received, `${url}/hooks/`), headers: html });
    if (path === STYLE_PATH)
      return sendAnswer(response, { status: 200, body: STYLE, headers: { 'content-type': 'text/css; charset=utf-8' } });
    return sendAnswer(response, { status: 404, body: { code: 'request/not-found' } });
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  return { url, received: () => received, close: () => closeServer(server) };
}

/** The start of a longer body, whose rest is read and dropped. */
async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    if (bytes < MAX_BODY_BYTES) chunks.push(part.subarray(0, MAX_BODY_BYTES - bytes));
    bytes += part.length;
  }
  return Buffer.concat(chunks).toString('utf8');
}

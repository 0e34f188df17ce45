/**
 * Telegram and Discord on loopback, each with its API for bots and a page under /dev on which a developer plays the
 * user. Faults replace or change the answers of the APIs; the pages are never affected.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { answerFaultControl, CONTROL_PATH } from '../faults/fault-control.ts';
import { type Faults, openFaults } from '../faults/faults.ts';
import { sendBroken } from '../faults/rest-faults.ts';
import { isToLoopback } from '../loopback-host.ts';
import { closeServer, listenOnLoopback } from '../loopback-server.ts';
import { type RestAnswer, sendAnswer } from '../rest-answer.ts';
import type { ApiRequest } from './api-request.ts';
import { chatPage, SCRIPT, STYLE } from './chat-page.ts';
import { type Conversation, REACHES } from './conversations.ts';
import { discord } from './discord.ts';
import type { SimulatedChat } from './service.ts';
import { telegram } from './telegram.ts';

export interface SandboxChatOptions {
  tokens: Readonly<Record<SimulatedChat['name'], string>>;
  /** Kat's address for Discord's interactions; null until it is known. */
  interactionsUrl(): string | null;
  hasFaultControl?: boolean;
  /** For rate limits, and for signatures, whose time the server compares with the product's clock. Default: the system's. */
  nowMs?: () => number;
}

export interface SandboxChat {
  /** Base address of the pages under /dev, without a trailing slash. */
  url: string;
  /** Base addresses of the APIs, without a trailing slash. */
  telegramUrl: string;
  discordUrl: string;
  telegram: SimulatedChat;
  discord: SimulatedChat;
  faults: Faults;
  /** Address that controls `faults` over HTTP; null without fault control. */
  faultControlUrl: string | null;
  close(): Promise<void>;
}

/** Slightly more than a picture may have, so that a larger one is refused as the service does. */
const MAX_BODY_BYTES = 12 * 1024 * 1024;

const enterSchema = z.object({
  conversation: z.string(),
  text: z.string().check(z.trim(), z.minLength(1), z.maxLength(4096)),
});
const reachSchema = z.object({ conversation: z.string(), reach: z.enum(REACHES) });

export async function startSandboxChat(options: SandboxChatOptions): Promise<SandboxChat> {
  const { tokens, interactionsUrl, hasFaultControl = false, nowMs = Date.now } = options;
  const faults = openFaults();
  const services = {
    telegram: telegram({ token: tokens.telegram, nowMs }),
    discord: discord({ token: tokens.discord, nowMs, interactionsUrl }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '/', 'http://localhost');
    if (!isToLoopback(request) || url === null)
      return sendAnswer(response, { status: 421, body: { code: 'request/wrong-host' } });
    if (hasFaultControl && url.pathname === CONTROL_PATH) return answerFaultControl(request, response, faults);
    const [, isPage, name, path = ''] = /^(\/dev)?\/(telegram|discord)((?:\/|\.).*)?$/.exec(url.pathname) ?? [];
    if (name !== 'telegram' && name !== 'discord')
      return sendAnswer(response, { status: 404, body: { code: 'request/not-found' } });
    const service = services[name];
    const body = await bodyOf(request);
    if (body === null) return sendAnswer(response, { status: 413, body: service.refusal(413, null) });
    if (isPage !== undefined) return sendAnswer(response, await pageAnswer(service, { request, path, url, body }));
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    const { method = 'GET', headers } = request;
    const call = { method, path, query: url.searchParams, headers, body, signal: closed.signal };
    await answerCall(service, call, response);
  }

  async function answerCall(service: SimulatedChat, call: ApiRequest, response: ServerResponse): Promise<void> {
    const fault = faults.strikeRequest(service.name, service.faultTarget(call.path));
    if (fault === null) return sendAnswer(response, await service.answer(call));
    // Every other fault replaces the answer, so the call must not take effect.
    const hasEffect = ['slow', 'cut-off', 'values', 'disorder', 'hostile'].includes(fault.what);
    const whole: RestAnswer = hasEffect ? await service.answer(call) : { status: 500, body: '' };
    sendBroken(response, fault, () => whole, service.refusal);
  }

  const server = createServer((request, response) => {
    // The client left, or the sandbox has a bug: either way, the client sees a broken connection.
    answer(request, response).catch(() => response.destroy());
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  return {
    url,
    telegramUrl: `${url}/telegram`,
    discordUrl: `${url}/discord`,
    ...services,
    faults,
    faultControlUrl: hasFaultControl ? url + CONTROL_PATH : null,
    async close() {
      for (const service of Object.values(services)) service.close();
      await closeServer(server);
    },
  };
}

interface PageRequest {
  request: IncomingMessage;
  /** The part after the page's own path, like `/messages` or `.json`. */
  path: string;
  url: URL;
  body: Buffer;
}

async function pageAnswer(service: SimulatedChat, { request, path, url, body }: PageRequest): Promise<RestAnswer> {
  const { method = 'GET' } = request;
  if (method === 'POST') return userAction(service, request, path, body);
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, body: { code: 'request/method-not-allowed' } };
  const { conversations } = service;
  const picture = conversations.picture(Number(/^\/pictures\/(\d{1,15})$/.exec(path)?.[1]));
  if (picture !== null) return { status: 200, body: picture.bytes, headers: { 'content-type': picture.type } };
  switch (path) {
    case '':
      return textAnswer(chatPage(service, url.searchParams), 'text/html');
    case '.json':
      return { status: 200, body: conversations.all().map(withoutPictures) };
    case '/chat.css':
      return textAnswer(STYLE, 'text/css');
    case '/chat.js':
      return textAnswer(SCRIPT, 'text/javascript');
    default:
      return { status: 404, body: { code: 'request/not-found' } };
  }
}

/** A page of another origin cannot send JSON without a preflight request. */
async function userAction(
  service: SimulatedChat,
  request: IncomingMessage,
  path: string,
  body: Buffer,
): Promise<RestAnswer> {
  const invalid = { status: 400, body: { code: 'request/invalid' } };
  if (request.headers['content-type']?.startsWith('application/json') !== true) return invalid;
  const json = parsedJson(body.toString('utf8'));
  const isKnown = (id: string) => service.conversations.find(id) !== null;
  const entered = path === '/messages' ? enterSchema.safeParse(json).data : undefined;
  const reached = path === '/reach' ? reachSchema.safeParse(json).data : undefined;
  if (entered !== undefined && isKnown(entered.conversation)) await service.enter(entered.conversation, entered.text);
  else if (reached !== undefined && isKnown(reached.conversation))
    await service.setReach(reached.conversation, reached.reach);
  else return invalid;
  return { status: 204, body: '' };
}

function withoutPictures({ entries, ...chat }: Conversation): unknown {
  const rows = entries.map(({ picture, ...entry }) => ({ ...entry, pictureBytes: picture?.bytes.length ?? null }));
  return { ...chat, entries: rows };
}

function textAnswer(body: string, type: string): RestAnswer {
  return { status: 200, body, headers: { 'content-type': `${type}; charset=utf-8` } };
}

/** Null: too large; the rest is read, so that the client receives the refusal. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(part);
  }
  return bytes > MAX_BODY_BYTES ? null : Buffer.concat(chunks);
}

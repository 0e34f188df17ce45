/**
 * Posts to addresses supplied by strangers: only https on its own port to public addresses, checked for the exact address
 * of the connection. Follows no redirect, and reads no more of the answer than its first characters.
 */
import { type IncomingMessage, request as requestPlainly } from 'node:http';
import { request as requestOverTls } from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { readRetryAfterMs } from './foreign-answer.ts';
import { isPublicAddress, PrivateAddress, publicLookup } from './public-address.ts';
import { resolveApart } from './resolve-apart.ts';

export interface GuardedPostOptions {
  /** Base address of a sandbox on loopback, which may be called too; null: public addresses only. */
  sandboxUrl: string | null;
  /** Time limit of the whole call. */
  timeoutMs: number;
  /** Characters of the answer that are returned. */
  startLength: number;
  /** Name lookup; replaced by tests. */
  lookup?: LookupFunction;
}

export interface PostAnswer {
  status: number;
  /** The beginning of the body if it is text; else empty. */
  start: string;
  /** As requested by the receiver; null if it requests nothing. */
  retryAfterMs: number | null;
}

/** @throws NotPosted; the signal's reason on abort */
export type GuardedPost = (
  url: string,
  request: { headers: Readonly<Record<string, string>>; body: string; signal: AbortSignal },
) => Promise<PostAnswer>;

/** A call without an answer. */
export class NotPosted extends Error {
  override readonly name = 'NotPosted';

  /** @param reason  a code only, without addresses, because it is stored and logged */
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
  }
}

/** Names of this machine and its network. */
const LOCAL_NAME = /^(?:localhost|.*\.(?:localhost|local|internal|home\.arpa))\.?$/;
const MAX_HEADER_BYTES = 16 * 1024;
/** The beginning of an answer is usually there with its head. No caller waits longer for it: the status has decided. */
const START_WAIT_MS = 250;

/** Null, or why the address must not be called. A name is checked again when it is connected to. */
export function addressFault(address: string, sandboxUrl: string | null): string | null {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') return 'bad address';
  if (sandboxUrl !== null && url.href.startsWith(`${sandboxUrl}/`)) return null;
  if (url.protocol !== 'https:') return 'not https';
  // URL drops the default port of https.
  if (url.port !== '') return 'other port';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isPublic = ipaddr.isValid(host) ? isPublicAddress(host) : host.includes('.') && !LOCAL_NAME.test(host);
  return isPublic ? null : 'private address';
}

export function guardedPost(options: GuardedPostOptions): GuardedPost {
  const { sandboxUrl, timeoutMs, startLength, lookup = publicLookup(resolveApart) } = options;
  return async (address, { headers, body, signal }) => {
    const fault = addressFault(address, sandboxUrl);
    if (fault !== null) throw new NotPosted(fault);
    const timedOut = AbortSignal.timeout(timeoutMs);
    const limited = AbortSignal.any([signal, timedOut]);
    try {
      const answer = await send(new URL(address), { headers, body, signal: limited, lookup });
      const start = await startOf(answer, startLength);
      return {
        ...{ status: answer.statusCode ?? 0, start },
        retryAfterMs: readRetryAfterMs(answer.headers['retry-after'] ?? null),
      };
    } catch (error) {
      signal.throwIfAborted();
      throw new NotPosted(timedOut.aborted ? 'timeout' : reasonOf(error), error);
    }
  };
}

function send(
  url: URL,
  {
    headers,
    body,
    signal,
    lookup,
  }: { headers: Readonly<Record<string, string>>; body: string; signal: AbortSignal; lookup: LookupFunction },
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // Uses a separate connection, never one that another request opened.
  const settings = {
    ...{ method: 'POST', signal, agent: false, maxHeaderSize: MAX_HEADER_BYTES },
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
  };
  const request =
    url.protocol === 'http:' ? requestPlainly(url, settings) : requestOverTls(url, { ...settings, lookup });
  request.once('response', resolve);
  request.once('error', reject);
  request.end(body);
  return promise;
}

/** Never rejects: an answer that breaks off has still given its status. Closes the connection. */
async function startOf(answer: IncomingMessage, length: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const enough = Promise.withResolvers<void>();
  // A character has at most four bytes.
  answer.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= length * 4) enough.resolve();
  });
  for (const event of ['end', 'error', 'close'] as const) answer.once(event, () => enough.resolve());
  const timer = setTimeout(() => enough.resolve(), START_WAIT_MS);
  await enough.promise;
  clearTimeout(timer);
  answer.on('error', () => undefined);
  answer.destroy();
  if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity') return '';
  return readable(Buffer.concat(chunks).subarray(0, length * 4), length);
}

/** Empty for bytes that are no text. */
function readable(bytes: Buffer, length: number): string {
  if (bytes.includes(0)) return '';
  const text = bytes
    .toString('utf8')
    .toWellFormed()
    .replace(/[\p{Cc}\uFFFD]+/gu, ' ');
  return [...text.trim()].slice(0, length).join('');
}

function reasonOf(error: unknown): string {
  if (error instanceof PrivateAddress) return 'private address';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z0-9_]{1,50}$/.test(code) ? code : 'not reached';
}

/**
 * Requests to addresses supplied by strangers, or by settings: only https on its own port to public addresses, checked for
 * the exact address of the connection. Follows no redirect.
 */
import { type IncomingMessage, request as requestPlainly } from 'node:http';
import { request as requestOverTls } from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isPublicAddress, PrivateAddress, publicLookup } from './public-address.ts';
import { resolveApart } from './resolve-apart.ts';

export interface GuardOptions {
  /** Base address of a sandbox on loopback, which may be called too; null: public addresses only. */
  sandboxUrl: string | null;
  /** Name lookup; replaced by tests. */
  lookup?: LookupFunction | undefined;
}

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT';
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | null;
  signal: AbortSignal;
  /** Time limit of the whole call, its answer included. */
  timeoutMs: number;
}

/** A call without a usable answer. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';

  /** @param reason  a code only, without addresses, because it is stored and logged */
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
  }
}

/** Names of this machine and its network. */
const LOCAL_NAME = /^(?:localhost|.*\.(?:localhost|local|internal|home\.arpa))\.?$/;
const MAX_HEADER_BYTES = 16 * 1024;

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

/** @param read  takes what it needs of the answer @throws CallFailed; the signal's reason on abort */
export async function guardedRequest<T>(
  address: string,
  { method, headers, body, signal, timeoutMs }: OutboundRequest,
  { sandboxUrl, lookup = publicLookup(resolveApart) }: GuardOptions,
  read: (answer: IncomingMessage) => Promise<T>,
): Promise<T> {
  const fault = addressFault(address, sandboxUrl);
  if (fault !== null) throw new CallFailed(fault);
  const timedOut = AbortSignal.timeout(timeoutMs);
  const limited = AbortSignal.any([signal, timedOut]);
  try {
    return await read(await send(new URL(address), { method, headers, body, signal: limited, lookup }));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CallFailed) throw error;
    throw new CallFailed(timedOut.aborted ? 'timeout' : reasonOf(error), error);
  }
}

function send(
  url: URL,
  { method, headers, body, signal, lookup }: Omit<OutboundRequest, 'timeoutMs'> & { lookup: LookupFunction },
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // Uses a separate connection, never one that another request opened.
  const settings = {
    method,
    signal,
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: body === null ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
  };
  const request =
    url.protocol === 'http:' ? requestPlainly(url, settings) : requestOverTls(url, { ...settings, lookup });
  request.once('response', resolve);
  request.once('error', reject);
  request.end(body ?? undefined);
  return promise;
}

function reasonOf(error: unknown): string {
  if (error instanceof PrivateAddress) return 'private address';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z0-9_]{1,50}$/.test(code) ? code : 'not reached';
}

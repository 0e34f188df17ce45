/**
 * Fetches addresses supplied by strangers: only https to public addresses, checked at every redirect and for the exact
 * address of the connection. Sandbox services are reached on loopback only.
 */
import { type IncomingHttpHeaders, type IncomingMessage, request as requestPlainly } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { type Duplex, pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import { AppError } from '#domain/errors/app-error.ts';
import { step } from '../telemetry/steps.ts';
import { isPublicAddress, PrivateAddress, publicLookup } from './public-address.ts';

export interface GuardedFetchOptions {
  /** `public`: https to public addresses. `loopback`: only http to 127.0.0.1. */
  reach: 'public' | 'loopback';
  /** For the whole fetch: name lookups, redirects and the complete body. */
  timeoutMs?: number;
  /** Limit after decompression. */
  maxBytes?: number;
  /** Sends one request without following redirects. A test passes its own. */
  send?: SendOnce;
}

export interface GuardedAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  url: string;
}

/** @throws AppError `venue/unavailable` with a `reason`; the signal's reason on abort. A status is never an error */
export type GuardedFetch = (
  url: string,
  options: { headers?: Readonly<Record<string, string>>; signal: AbortSignal },
) => Promise<GuardedAnswer>;

export type SendOnce = (
  url: URL,
  options: { headers: Readonly<Record<string, string>>; signal: AbortSignal },
) => Promise<Readable & Pick<IncomingMessage, 'statusCode' | 'headers'>>;

const TIMEOUT_MS = 5000;
const MAX_BYTES = 2 << 20;
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export function guardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { reach, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, send = sendOnce } = options;
  // Strangers choose these hosts, so all of them share one step name.
  return (address, options) => step({ kind: 'feed', name: 'elsewhere' }, () => fetchGuarded(address, options));

  async function fetchGuarded(address: string, { headers = {}, signal }: Parameters<GuardedFetch>[1]) {
    const timedOut = AbortSignal.timeout(timeoutMs);
    const limited = AbortSignal.any([signal, timedOut]);
    try {
      let url = requireReachable(address, reach);
      for (let redirects = 0; ; redirects++) {
        const response = await send(url, {
          headers: { 'user-agent': 'kat', 'accept-encoding': 'gzip, br', ...headers },
          signal: limited,
        });
        const status = response.statusCode ?? 0;
        const { location } = response.headers;
        if (!REDIRECTS.has(status) || location === undefined)
          return { status, headers: response.headers, body: await readBody(response, maxBytes), url: url.href };
        response.destroy();
        if (redirects === MAX_REDIRECTS) throw refused('too many redirects');
        url = requireReachable(URL.parse(location, url.href)?.href ?? '', reach);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (timedOut.aborted) throw refused('timeout', error);
      throw error instanceof AppError ? error : refused(reasonOf(error), error);
    }
  }
}

/** @throws AppError for every address that must not be called */
function requireReachable(address: string, reach: GuardedFetchOptions['reach']): URL {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') throw refused('bad address');
  if (reach === 'loopback') {
    if (url.protocol !== 'http:' || url.hostname !== '127.0.0.1') throw refused('address outside the sandbox');
    return url;
  }
  if (url.protocol !== 'https:') throw refused('not https');
  // A numeric address is connected to without a lookup.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host) && !isPublicAddress(host)) throw refused('private address');
  return url;
}

/** Uses a separate connection, never one that another request opened. */
const sendOnce: SendOnce = (url, { headers, signal }) =>
  new Promise((resolve, reject) => {
    const isPlain = url.protocol === 'http:';
    const settings = { headers, signal, agent: false } as const;
    const request = isPlain
      ? requestPlainly(url, settings)
      : requestOverTls(url, { ...settings, lookup: publicLookup() });
    request.once('response', resolve);
    request.once('error', reject);
    request.end();
  });

/** @throws AppError when it is longer; the rest is not read, and the connection is closed */
async function readBody(response: Readable & Pick<IncomingMessage, 'headers'>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of decode(response)) {
    const part = Buffer.from(chunk);
    bytes += part.byteLength;
    if (bytes > maxBytes) throw refused('too large');
    chunks.push(part);
  }
  return Buffer.concat(chunks);
}

const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function decode(response: Readable & Pick<IncomingMessage, 'headers'>): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return response;
  const decoder = DECODERS[encoding]?.();
  if (decoder === undefined) throw refused('unknown encoding');
  // The reader of the decoder gets errors of either stream.
  pipeline(response, decoder, () => undefined);
  return decoder;
}

function reasonOf(error: unknown): string {
  return error instanceof PrivateAddress ? 'private address' : 'not reached';
}

function refused(reason: string, cause?: unknown): AppError {
  return new AppError('venue/unavailable', { details: { reason }, cause });
}

/** Bodies are streamed, headers forwarded by list, cookies never. */
import type { Context } from 'hono';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { encodePath, FORWARDED_ROOTS, projectPath } from './limits.ts';

export interface ForwardDeps {
  /** The project's address, without a slash at the end. */
  projectUrl: string;
  /** Our own origin as this request's browser knows it. */
  originOf(c: Context): string;
  /** The client address to pass to the project: see clientAddress. */
  addressOf(c: Context): string;
}

export interface ForwardLimits {
  maxBodyBytes: number;
  /** Until the project starts to respond. */
  timeoutMs: number;
}

const TO_PROJECT = [
  ...['apikey', 'authorization', 'accept', 'accept-profile', 'content-profile', 'content-type', 'prefer', 'range'],
  ...['range-unit', 'cache-control', 'if-match', 'if-none-match', 'if-modified-since', 'redirect_to', 'user-agent'],
  ...['x-client-info', 'x-metadata', 'x-retry-count', 'x-supabase-api-version', 'x-upsert'],
];

const TO_BROWSER = [
  ...['accept-ranges', 'allow', 'cache-control', 'content-disposition', 'content-range', 'content-type', 'etag'],
  ...['last-modified', 'preference-applied', 'proxy-status', 'range-unit', 'retry-after', 'www-authenticate'],
  ...['x-sb-error-code', 'x-supabase-api-version'],
];

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
const WITHOUT_BODY = new Set(['GET', 'HEAD']);
const EMPTY = new Set([204, 205, 304]);

/**
 * @param body  if the caller has already read it; otherwise the request's own is streamed
 * @throws AppError `request/not-found`, `request/method-not-allowed`, `request/too-large`, `backend/unavailable`
 */
export async function forward(
  c: Context,
  deps: ForwardDeps,
  limits: ForwardLimits,
  body: string | null = null,
): Promise<Response> {
  const request = c.req.raw;
  if (!METHODS.has(request.method))
    throw new AppError('request/method-not-allowed', { details: { allow: [...METHODS].join(', ') } });
  const target = targetOf(request.url, deps.projectUrl);
  const started = new AbortController();
  const timer = setTimeout(() => started.abort(), limits.timeoutMs);
  try {
    const answer = await fetch(target, {
      method: request.method,
      headers: headersFor(c, deps),
      redirect: 'manual',
      signal: AbortSignal.any([request.signal, started.signal]),
      ...(WITHOUT_BODY.has(request.method) ? {} : bodyOf(request, limits.maxBodyBytes, body)),
    });
    return answerOf(answer, deps.projectUrl, deps.originOf(c));
  } catch (cause) {
    throw tooLargeIn(cause) ?? new AppError('backend/unavailable', { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** Uses the same spelling by which the limits were chosen. */
function targetOf(url: string, projectUrl: string): string {
  const { pathname, search } = new URL(url);
  return `${projectUrl}${encodePath(projectPath(pathname))}${search}`;
}

function headersFor(c: Context, deps: ForwardDeps): Headers {
  const headers = new Headers();
  for (const name of TO_PROJECT) {
    const value = c.req.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  // Uncompressed: a compressed response can't be passed on unread.
  headers.set('accept-encoding', 'identity');
  const address = deps.addressOf(c);
  // An IPv6 address is only known by its network, its first four groups.
  if (address.includes(':')) headers.set('x-forwarded-for', `${address}::`);
  else if (address.includes('.')) headers.set('x-forwarded-for', address);
  return headers;
}

function bodyOf(request: Request, maxBytes: number, read: string | null): RequestInit {
  if (read !== null) return { body: read };
  if (request.body === null) return {};
  if (Number(request.headers.get('content-length') ?? '0') > maxBytes) throw tooLarge(maxBytes);
  let size = 0;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > maxBytes) controller.error(tooLarge(maxBytes));
      else controller.enqueue(chunk);
    },
  });
  // The types are for browsers, where a stream as body must be declared half-duplex.
  const init: RequestInit & { duplex: 'half' } = { body: request.body.pipeThrough(bounded), duplex: 'half' };
  return init;
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('request/too-large', { details: { maxBytes } });
}

/** fetch wraps a stream's own error as a cause. */
function tooLargeIn(error: unknown): AppError | null {
  for (let at = error; at instanceof Error; at = at.cause)
    if (isAppError(at) && at.code === 'request/too-large') return at;
  return null;
}

function answerOf(answer: Response, projectUrl: string, ownOrigin: string): Response {
  const headers = new Headers();
  for (const name of TO_BROWSER) {
    const value = answer.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const location = answer.headers.get('location');
  if (location !== null) headers.set('location', ownAddress(location, projectUrl, ownOrigin));
  // If it was compressed anyway, fetch has decoded it, so its length differs.
  const length = answer.headers.get('content-length');
  if (length !== null && !answer.headers.has('content-encoding')) headers.set('content-length', length);
  return new Response(EMPTY.has(answer.status) ? null : answer.body, { status: answer.status, headers });
}

/** Replaces the project's address by ours in forwarded paths, because the browser may call no other. */
function ownAddress(location: string, projectUrl: string, ownOrigin: string): string {
  const root = FORWARDED_ROOTS.find((one) => location.startsWith(`${projectUrl}${one}/`));
  return root === undefined ? location : `${ownOrigin}${location.slice(projectUrl.length)}`;
}

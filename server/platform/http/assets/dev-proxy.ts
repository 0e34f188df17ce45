/** Lets browsers reach a sandbox on loopback through the site's address. Never in production. */
import { Hono } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';
import { onlyMethods } from '../calls/http-errors.ts';
import { readBytes, requireJsonType } from '../calls/request-body.ts';
import { foreignDocument } from '../guards/security-headers.ts';

export interface DevProxyOptions {
  /** Base address of the sandbox, without a trailing slash. */
  targetUrl: string;
  /** The path on both servers: `/dev/mailbox` covers itself, everything under it, and `/dev/mailbox.json`. */
  path: `/dev/${string}`;
  /** The sandbox's path that replaces `path`; the same path if absent. */
  targetPath?: string;
  /** Whether POST with a JSON body is forwarded too. Default: false. */
  takesJson?: boolean;
  /** Returns true for a path whose HTML comes from a third party. */
  isForeign: (path: string) => boolean;
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const MAX_BODY_BYTES = 64 * 1024;
const METHODS = ['GET', 'HEAD', 'DELETE'];
const FORWARDED_HEADERS = ['content-type', 'cache-control', 'location'];

export function devProxy(options: DevProxyOptions): Hono {
  const app = new Hono();
  const { path, targetUrl, targetPath = path } = options;
  const methods = options.takesJson === true ? [...METHODS, 'POST'] : METHODS;
  for (const pattern of [path, `${path}/*`, `${path}.json`]) {
    app.on(methods, pattern, async (c) => {
      if (options.isForeign(c.req.path)) foreignDocument(c);
      const { pathname, search } = new URL(c.req.url);
      return forward(`${targetUrl}${targetPath}${pathname.slice(path.length)}${search}`, c.req.raw);
    });
    app.all(pattern, onlyMethods(...methods));
  }
  return app;
}

/** Only POST has a body. @throws AppError `internal`; `request/invalid` or `request/too-large` for the body */
async function forward(url: string, request: Request): Promise<Response> {
  const { method } = request;
  const init: RequestInit = { method, redirect: 'manual' };
  if (method === 'POST') {
    requireJsonType(request);
    init.body = await readBytes(request, MAX_BODY_BYTES);
    init.headers = { 'content-type': 'application/json' };
  }
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const answer = await fetch(url, { ...init, signal });
    const headers = new Headers();
    for (const name of FORWARDED_HEADERS) {
      const value = answer.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    const hasBody = request.method !== 'HEAD' && answer.status !== 204;
    return new Response(hasBody ? await wholeBody(answer) : null, { status: answer.status, headers });
  } catch (cause) {
    throw new AppError('internal', { cause });
  }
}

async function wholeBody(answer: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new Error(`The sandbox’s answer is larger than ${MAX_ANSWER_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

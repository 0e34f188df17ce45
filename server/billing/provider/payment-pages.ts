/** Their own content security policy stays, because a form there may redirect to any of our hostnames. */
import { Hono } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';
import { onlyMethods } from '../../platform/http/calls/http-errors.ts';
import { readBytes } from '../../platform/http/calls/request-body.ts';
import { PAYMENT_PAGES_PATH } from './payments-source.ts';

const TIMEOUT_MS = 20_000;
const MAX_FORM_BYTES = 8 * 1024;
const METHODS = ['GET', 'HEAD', 'POST'];
/** The sandbox's headers that are passed on; we set all others. */
const FORWARDED_HEADERS = ['content-type', 'cache-control', 'content-security-policy', 'location'];

/** @param pagesUrl  base address of the pages on loopback */
export function paymentPageRoutes(pagesUrl: string): Hono {
  const app = new Hono();
  const pattern = `${PAYMENT_PAGES_PATH}/*`;
  app.on(METHODS, pattern, async (c) => {
    const { pathname, search } = new URL(c.req.url);
    return forward(`${pagesUrl}${pathname.slice(PAYMENT_PAGES_PATH.length)}${search}`, c.req.raw);
  });
  app.all(pattern, onlyMethods(...METHODS));
  return app;
}

/** @throws AppError `billing/provider-unavailable`; `request/too-large` for the form */
async function forward(url: string, request: Request): Promise<Response> {
  const { method } = request;
  const form = method === 'POST' ? { body: await readBytes(request, MAX_FORM_BYTES) } : {};
  const headers: Record<string, string> =
    method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const answer = await fetch(url, { method, headers, ...form, redirect: 'manual', signal });
    const forwardedHeaders = FORWARDED_HEADERS.flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as [string, string]];
    });
    return new Response(await answer.arrayBuffer(), { status: answer.status, headers: forwardedHeaders });
  } catch (cause) {
    throw new AppError('billing/provider-unavailable', { cause });
  }
}

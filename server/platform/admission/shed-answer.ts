/** Built by hand, because an overloaded process sends many of these. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { MESSAGES } from '#domain/errors/messages.ts';
import { SHED_HEADER, type WorkClass } from '#domain/errors/shed.ts';

const MESSAGE = MESSAGES['server/busy'];

/** The page explains itself and reloads automatically, so it needs nothing else from the site. */
function busyPage(retryAfterS: number): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${retryAfterS}"><title>Kat is busy</title>
<style>:root{color-scheme:dark light}body{margin:0;min-height:100vh;display:grid;place-content:center;gap:.5rem;padding:1.5rem;font:1rem/1.5 system-ui,sans-serif;text-align:center;text-wrap:balance}h1{font-size:1.25rem;margin:0}p{margin:0;opacity:.75}</style>
</head><body><h1>Kat is busy right now</h1><p>This page tries again automatically in ${retryAfterS === 1 ? 'a second' : `${retryAfterS} seconds`}.</p></body></html>`;
}

/** In the error format of the API on that path: PostgREST, GoTrue or our own. */
function busyBody(path: string, retryAfterS: number): string {
  if (path.startsWith('/rest/v1'))
    return JSON.stringify({ code: 'server/busy', message: MESSAGE, details: null, hint: null });
  if (path.startsWith('/auth/v1')) return JSON.stringify({ code: 503, error_code: 'server_busy', msg: MESSAGE });
  return JSON.stringify({ error: MESSAGE, code: 'server/busy', details: { retryAfterS } });
}

/** @param retryAfterS  whole seconds, with random jitter already added */
export function answerShed(
  request: IncomingMessage,
  response: ServerResponse,
  { name, retryAfterS }: { name: WorkClass; retryAfterS: number },
): void {
  const isPage = name === 'page';
  const body = isPage ? busyPage(retryAfterS) : busyBody(request.url ?? '', retryAfterS);
  response.writeHead(503, {
    'content-type': isPage ? 'text/html; charset=UTF-8' : 'application/json',
    'content-length': Buffer.byteLength(body),
    'retry-after': String(retryAfterS),
    [SHED_HEADER]: name,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    // The body holds no user's data, and programs on other origins must see when to retry.
    'access-control-allow-origin': '*',
    'access-control-expose-headers': `retry-after, ${SHED_HEADER}`,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Sends no body, because a browser never shows a page the body of a failed handshake. */
export function refuseUpgrade(socket: Duplex, retryAfterS: number): void {
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 503 Service Unavailable\r\nretry-after: ${retryAfterS}\r\n${SHED_HEADER}: socket\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
  );
}

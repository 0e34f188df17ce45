/**
 * The Model Context Protocol at /mcp, for assistants, with a personal key; read-only. Without sessions: each request is
 * answered by a separate server object, so that any process can answer it, and no stream outlives its one answer.
 */
import { Hono } from 'hono';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { acceptedType } from '../../platform/http/calls/accepted-type.ts';
import { statusOf } from '../../platform/http/calls/http-errors.ts';
import { parseJson, readText, requireJsonType } from '../../platform/http/calls/request-body.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { KeyGate } from '../key-gate.ts';
import type { Tool } from './tool.ts';

export const MCP_PATH = '/mcp';

export interface McpDeps {
  gate: KeyGate;
  tools: readonly Tool[];
  log: Logger;
  version: string;
  /** Whether pages of this origin may call. */
  isAllowedOrigin(origin: string, request: Request): boolean;
}

/** The longest call of a tool has some hundred bytes. */
const MAX_BYTES = 64 * 1024;
const COST = 1;

/** For the assistant, before it calls any tool. */
const INSTRUCTIONS = [
  'Kat forecasts how far prices may move within the next 50 candles, and keeps a public record of how its forecasts came out.',
  'Its numbers are about the size of moves. They do not predict direction, know no news, and are no advice to buy or sell: say so whenever you pass them on.',
  'Prices may be replayed or simulated; each answer says which in `market`.',
  'Nothing here can change anything, trade, or use up a prediction of a plan.',
].join(' ');

/** JSON first: no tool reports anything before its answer. */
const ANSWER_TYPES = ['application/json', 'text/event-stream'] as const;
/** The library refuses clients that accept only one of them. */
const ACCEPT_BOTH = ANSWER_TYPES.join(', ');

/** JSON-RPC 2.0 */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const NOT_ACCEPTABLE = -32_000;

export function mcpRoutes({ gate, tools, log, version, isAllowedOrigin }: McpDeps): Hono {
  const app = new Hono();
  app.all(MCP_PATH, async (c) => {
    const request = c.req.raw;
    const origin = request.headers.get('origin');
    // A page that reached this server under another name must not call it with a key that it was given.
    if (origin !== null && !isAllowedOrigin(origin, request))
      throw new AppError('auth/forbidden', { details: { parameter: 'origin' } });
    return gate.answer(request, COST, async ({ key }) => {
      // Loaded by the first call: reading the library takes a tenth of a start.
      const library = await import('@modelcontextprotocol/server');
      const newServer = () => {
        // The list of tools never changes, so that no client needs an open stream to be notified.
        const capabilities = { tools: { listChanged: false } };
        const server = new library.McpServer({ name: 'kat', version }, { capabilities, instructions: INSTRUCTIONS });
        for (const add of tools) add(server, { key, log });
        return server;
      };
      const type = acceptedType(request.headers.get('accept'), ANSWER_TYPES);
      const handler = library.createMcpHandler(newServer, {
        maxSubscriptions: 1,
        onerror: (error) => log.debug({ err: error }, 'an MCP request was refused'),
        responseMode: type === 'text/event-stream' ? 'sse' : 'auto',
      });
      if (request.method !== 'POST') return handler.fetch(request);
      if (type === null) return refusal(406, NOT_ACCEPTABLE, `Accept must allow ${ANSWER_TYPES.join(' or ')}.`);
      const body = await bodyOf(request);
      if (body instanceof Response) return body;
      const accepting = withAccept(request, ACCEPT_BOTH);
      const isLegacy = await library.isLegacyRequest(accepting, body.value);
      if (type === 'text/event-stream' || !isLegacy) return handler.fetch(accepting, { parsedBody: body.value });
      // The handler answers clients of the older protocol with a stream only.
      const transport = new library.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      const server = newServer();
      try {
        await server.connect(transport);
        return await transport.handleRequest(accepting, { parsedBody: body.value });
      } finally {
        await server.close();
      }
    });
  });
  return app;
}

/** Without the body, which was read. */
function withAccept({ url, method, headers, signal }: Request, accept: string): Request {
  const changed = new Headers(headers);
  changed.set('accept', accept);
  return new Request(url, { method, headers: changed, signal });
}

/** One message: a batch could hold any number of calls at the price of one. */
async function bodyOf(request: Request): Promise<{ value: unknown } | Response> {
  try {
    requireJsonType(request);
    const value = parseJson(await readText(request, MAX_BYTES));
    return Array.isArray(value) ? refusal(400, INVALID_REQUEST, 'Send one message at a time, not a batch.') : { value };
  } catch (error) {
    if (!isAppError(error)) throw error;
    const isType = error.details.parameter === 'content-type';
    if (isType) return refusal(415, INVALID_REQUEST, 'The content type must be application/json.');
    if (error.code === 'request/too-large') return refusal(413, INVALID_REQUEST, 'The body is larger than 64 KB.');
    return refusal(statusOf(error), PARSE_ERROR, 'The body is not valid JSON.');
  }
}

function refusal(status: number, code: number, message: string): Response {
  const body = { jsonrpc: '2.0', id: null, error: { code, message } };
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } });
}

/** Which answers to a hostile request are allowed. */
import { maxHeaderSize } from 'node:http';
import * as z from 'zod/mini';
import { FORGED, type FuzzRequest } from './requests.ts';
import { protocolOf } from './routes/routes.ts';
import type { Answer, Outcome, Sent } from './send.ts';

const number = z.number();
const text = z.string();
const textOrNull = z.nullable(text);

const SHAPES = {
  auth: z.object({ code: number, error_code: text, msg: text }),
  rest: z.object({ code: text, message: text, details: textOrNull, hint: textOrNull }),
  storage: z.object({ statusCode: text, error: text, message: text }),
  own: z.object({ error: text, code: text }),
  exchange: z.object({ message: text }),
  /** JSON-RPC 2.0 */
  mcp: z.object({ jsonrpc: z.literal('2.0'), error: z.object({ code: number, message: text }) }),
};
/** Protocols that may answer in the product's own shape too: exchange paths have errors that no exchange defines, and a key is refused before a message is read. */
const OWN_TOO = new Set(['own', 'exchange', 'mcp']);

/** Refused before any protocol is known: a foreign host, an invalid URL. */
const BEFORE_ROUTING = new Set([400, 421]);
/** Not trained, no candles yet, or no payment provider: a 503 that the product intends. */
const KNOWN_UNAVAILABLE = new Set(['forecast/not-trained', 'venue/unavailable', 'billing/not-set-up']);

/** @returns one sentence for each problem; empty if all is well */
export function judge(request: FuzzRequest, sent: Sent, outcome: Outcome, secrets: readonly string[]): string[] {
  if ('failure' in outcome) return isCutOff(sent, outcome.failure) ? [] : [outcome.failure];
  const { answer } = outcome;
  const problems = [...leaks(sent, answer, secrets)];
  const path = pathOf(sent.target);
  const body = parsed(answer.body);
  const isKnown = answer.status === 503 && KNOWN_UNAVAILABLE.has(String(codeOf(body)));
  if (answer.status >= 500 && !isKnown) problems.push(`status ${answer.status}: ${answer.body.slice(0, 300)}`);
  else if (answer.status >= 400) problems.push(...shapeProblems(sent, answer, path, body));
  if (isForged(request) && isMeantFor(request, path) && answer.status < 400)
    problems.push(`status ${answer.status} for a token that is ${request.token}`);
  return problems;
}

/** @param reply  the bytes that came back, perhaps none */
export function judgeRaw(reply: string, secrets: readonly string[]): string[] {
  const problems: string[] = [];
  for (const secret of secrets) if (reply.includes(secret)) problems.push('a secret of another user');
  for (const [, status] of reply.matchAll(/^HTTP\/1\.[01] (\d{3})/gm))
    if (Number(status) >= 500) problems.push(`status ${status}: ${reply.slice(0, 300)}`);
  if (reply !== '' && !reply.startsWith('HTTP/1.1 ')) problems.push(`no HTTP: ${reply.slice(0, 100)}`);
  return problems;
}

function leaks(sent: Sent, answer: Answer, secrets: readonly string[]): string[] {
  // In development everyone can read the mailbox, by design.
  if (pathOf(sent.target).startsWith('/dev/mailbox')) return [];
  const shown = JSON.stringify(answer.headers) + answer.body;
  return secrets.filter((secret) => shown.includes(secret)).map(() => 'a secret of another user');
}

function shapeProblems(sent: Sent, answer: Answer, path: string, body: unknown): string[] {
  const protocol = protocolOf(path);
  if (sent.method === 'HEAD' || sent.method === 'OPTIONS' || protocol === 'page') return [];
  if (isNoRequest(answer)) return [];
  if (SHAPES.own.safeParse(body).success && (OWN_TOO.has(protocol) || BEFORE_ROUTING.has(answer.status))) return [];
  // The development mailbox answers with HTML pages, for missing mails too.
  if (path.startsWith('/dev/mailbox')) return [];
  const shape = SHAPES[protocol];
  if (!shape.safeParse(body).success)
    return [`not in the shape of ${protocol}: ${answer.status} ${answer.body.slice(0, 200)}`];
  if (protocol === 'auth' && answer.headers['x-sb-error-code'] !== Reflect.get(Object(body), 'error_code'))
    return ['no x-sb-error-code'];
  return [];
}

function isForged({ route, token }: FuzzRequest): boolean {
  return route.readsKey ? token !== 'readKey' : route.readsToken === true && FORGED.has(token);
}

/** The HTTP parser refuses the URL and closes, here before the whole request was sent: its answer may get lost. */
function isCutOff({ target, body }: Sent, failure: string): boolean {
  const isInvalid = /[\u0080-\u00ff]/.test(target) && (body?.length ?? 0) > 60_000;
  return /ECONNRESET|EPIPE/.test(failure) && (isInvalid || target.length > maxHeaderSize);
}

/** The HTTP parser refused it: it never became a request, so the product could not send a body. */
function isNoRequest(answer: Answer): boolean {
  return [400, 408, 431].includes(answer.status) && answer.body === '' && answer.headers['x-request-id'] === undefined;
}

/** A hostile path may reach another route, which need not read tokens; and OPTIONS never does. */
function isMeantFor(request: FuzzRequest, path: string): boolean {
  const [root = ''] = request.route.path.split(/[{@]/);
  return (
    request.method !== 'OPTIONS' && path.startsWith(root) && !/%|\.\.|\/\//.test(request.target.split('?')[0] ?? '')
  );
}

function pathOf(target: string): string {
  return URL.parse(target, 'http://x')?.pathname ?? target;
}

function parsed(bodyText: string): unknown {
  try {
    return JSON.parse(Buffer.from(bodyText, 'latin1').toString('utf8'));
  } catch {
    // Not JSON: the check of the shape reports it where JSON is required.
    return null;
  }
}

function codeOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
}

/** A typed client of Kat's read API, for browsers and Node 20 or newer. It has no dependencies. */
import { type KatEvent, readEvents } from './events.ts';
import type { paths } from './read-api.ts';

/** An address of the API that answers in JSON, such as `/forecasts/latest`. */
export type Path = {
  [P in keyof paths]: paths[P] extends {
    get: { responses: { 200: { content: { 'application/json': unknown } } } };
  }
    ? P
    : never;
}[keyof paths];

export type Answer<P extends Path> = paths[P] extends {
  get: { responses: { 200: { content: { 'application/json': infer A } } } };
}
  ? A
  : never;

type Taken<P extends keyof paths, Place extends 'query' | 'path'> = paths[P] extends {
  get: { parameters: { [K in Place]?: infer Q } };
}
  ? Q
  : never;

/** All parameters of an address: those in braces, and those of the query. */
export type Parameters<P extends keyof paths> = ([Taken<P, 'query'>] extends [never]
  ? unknown
  : NonNullable<Taken<P, 'query'>>) &
  ([Taken<P, 'path'>] extends [never] ? unknown : NonNullable<Taken<P, 'path'>>);

/** Addresses whose answers have a cursor of the next page. */
export type PagedPath = { [P in Path]: Answer<P> extends { next: string | null } ? P : never }[Path];

export interface KatOptions {
  /** The site, such as `https://kat.example`. */
  url: string;
  /** A personal key: `kat_...`. */
  key: string;
  /** Default: the global one. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
}

export interface EventOptions extends CallOptions {
  /** Id of the last event seen; default: only what happens from now on. */
  after?: string;
}

/** A refusal of the server: `code` is stable, the message is for people. */
export class KatError extends Error {
  override readonly name = 'KatError';
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds to wait after too many requests; null otherwise. */
  readonly retryAfterS: number | null;

  constructor(response: Response, body: { error?: unknown; code?: unknown; details?: unknown }) {
    super(typeof body.error === 'string' ? body.error : `HTTP ${response.status}`);
    this.status = response.status;
    this.code = typeof body.code === 'string' ? body.code : 'unknown';
    this.details = isObject(body.details) ? body.details : {};
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    this.retryAfterS = Number.isFinite(seconds) ? seconds : null;
  }
}

export interface Kat {
  /** @throws KatError for a refusal */
  get<P extends Path>(path: P, parameters?: Parameters<P>, options?: CallOptions): Promise<Answer<P>>;
  /** Page after page until the last. @throws KatError */
  pages<P extends PagedPath>(path: P, parameters?: Parameters<P>, options?: CallOptions): AsyncGenerator<Answer<P>>;
  /** Events as they happen. Continues after a broken connection; ends with the signal. @throws KatError for a key that ended */
  events(parameters?: Parameters<'/events'>, options?: EventOptions): AsyncGenerator<KatEvent>;
}

const BASE = '/api/v1';
/** Answers remembered for unchanged ones. */
const REMEMBERED = 50;

export function kat({ url, key, fetch: send = fetch }: KatOptions): Kat {
  const base = `${url.replace(/\/+$/, '')}${BASE}`;
  const remembered = new Map<string, { etag: string; answer: unknown }>();

  async function request(address: string, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> {
    const authorization = `Bearer ${key}`;
    const response = await send(address, {
      headers: { ...headers, authorization },
      ...(signal !== undefined && { signal }),
    });
    if (response.ok || response.status === 304) return response;
    throw new KatError(response, await bodyOf(response));
  }

  async function get(path: string, parameters: object = {}, { signal }: CallOptions = {}): Promise<unknown> {
    const address = base + addressOf(path, parameters);
    const known = remembered.get(address);
    const headers: Record<string, string> = known === undefined ? {} : { 'if-none-match': known.etag };
    const response = await request(address, headers, signal);
    if (response.status === 304 && known !== undefined) return known.answer;
    const answer: unknown = await response.json();
    const etag = response.headers.get('etag');
    if (etag !== null) remember(address, { etag, answer });
    return answer;
  }

  function remember(address: string, entry: { etag: string; answer: unknown }): void {
    remembered.delete(address);
    remembered.set(address, entry);
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  }

  async function* pages(path: string, parameters: object = {}, options: CallOptions = {}): AsyncGenerator<unknown> {
    for (let cursor: unknown = null; ; ) {
      const page = await get(path, cursor === null ? parameters : { ...parameters, cursor }, options);
      yield page;
      cursor = isObject(page) ? page.next : null;
      if (typeof cursor !== 'string') return;
    }
  }

  const client = {
    get,
    pages,
    events: (parameters: object = {}, { after, signal }: EventOptions = {}) =>
      readEvents({
        open: (last) =>
          request(base + addressOf('/events', parameters), last === null ? {} : { 'last-event-id': last }, signal),
        after: after ?? null,
        signal,
        refusalOf: (response, body) => new KatError(response, body),
        isFinal: (error) => error instanceof KatError && error.status !== 429 && error.status < 500,
      }),
  };
  // The types of addresses and answers exist only for the caller.
  return client as unknown as Kat;
}

function addressOf(path: string, parameters: object): string {
  const query = new URLSearchParams();
  const rest = new Map<string, unknown>(Object.entries(parameters));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value ?? ''));
  });
  for (const [name, value] of rest) if (value !== undefined) query.set(name, String(value));
  return filled + (query.size === 0 ? '' : `?${query}`);
}

async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json();
    return isObject(body) ? body : {};
  } catch {
    // A proxy's own page: the status says enough.
    return {};
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

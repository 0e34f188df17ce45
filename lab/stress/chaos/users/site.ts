/** The site as its users reach it: plain HTTP, each call on a new connection, tried once with a short limit. */
import * as z from 'zod/mini';

export interface SiteAnswer {
  /** 0: no answer. */
  status: number;
  body: unknown;
  headers: Headers;
}

export interface SiteUser {
  id: string;
  email: string;
  password: string;
  token: string;
  /** Client address, which rate limits count by. */
  address: string;
}

export interface Site {
  url(): string;
  /** Of the largest plan. */
  priceId: string;
  /** Never throws: no answer within `limitMs` has status 0 and the reason in its body. */
  request(path: string, call?: SiteCall): Promise<SiteAnswer>;
  /** For reads afterwards: retries until answered. @throws Error if it is refused, or after a minute */
  read(path: string, call?: SiteCall): Promise<unknown>;
  rpc(user: Pick<SiteUser, 'token' | 'address'> | null, name: string, args: object): Promise<SiteAnswer>;
  invoke(user: SiteUser, name: string, body?: object): Promise<SiteAnswer>;
}

interface SiteCall {
  method?: string;
  body?: object;
  user?: Pick<SiteUser, 'token' | 'address'> | null;
  address?: string;
  limitMs?: number;
}

/** Longer than the server's own statement limit. */
const WRITE_LIMIT_MS = 8000;
const READ_LIMIT_MS = 60_000;

const configSchema = z.object({ supabaseAnonKey: z.string(), prices: z.object({ lion: z.string() }) });

export async function openSite(url: () => string): Promise<Site> {
  let apikey = '';

  async function request(path: string, call: SiteCall = {}): Promise<SiteAnswer> {
    const { user = null, body, limitMs = WRITE_LIMIT_MS } = call;
    const address = call.address ?? user?.address;
    const headers: Record<string, string> = { apikey, connection: 'close', 'content-type': 'application/json' };
    if (user !== null) headers.authorization = `Bearer ${user.token}`;
    if (address !== undefined) headers['x-forwarded-for'] = address;
    const method = call.method ?? (body === undefined ? 'GET' : 'POST');
    const init = { method, headers, signal: AbortSignal.timeout(limitMs) };
    try {
      const answer = await fetch(url() + path, body === undefined ? init : { ...init, body: JSON.stringify(body) });
      const text = await answer.text();
      return { status: answer.status, body: parsed(text), headers: answer.headers };
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      return { status: 0, body: String(cause), headers: new Headers() };
    }
  }

  const read = async (path: string, call?: SiteCall): Promise<unknown> => {
    const endsMs = Date.now() + READ_LIMIT_MS;
    for (;;) {
      const { status, body } = await request(path, call);
      if (status >= 200 && status < 300) return body;
      const isRefused = status >= 400 && status < 500;
      if (isRefused || Date.now() > endsMs) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
      await new Promise((wake) => setTimeout(wake, 250));
    }
  };
  const { supabaseAnonKey, prices } = configSchema.parse(await read('/config.json'));
  apikey = supabaseAnonKey;

  return {
    url,
    priceId: prices.lion,
    request,
    read,
    rpc: (user, name, args) => request(`/rest/v1/rpc/${name}`, { user, body: args }),
    invoke: (user, name, body = {}) => request(`/functions/v1/${name}`, { user, body }),
  };
}

export const isTaken = ({ status }: SiteAnswer): boolean => status >= 200 && status < 300;

const messageSchema = z.object({
  error: z.optional(z.unknown()),
  message: z.optional(z.unknown()),
  msg: z.optional(z.unknown()),
});

/** An unsuccessful answer as text: its status and its message. */
export function describeAnswer({ status, body }: Pick<SiteAnswer, 'status' | 'body'>): string {
  if (status === 0) return 'no answer';
  const { data } = messageSchema.safeParse(body);
  return `${status} ${String(data?.msg ?? data?.message ?? data?.error ?? 'without words')}`;
}

/** An address of the networks reserved for benchmarks (RFC 2544), which are large enough. */
export function newAddress(nth: number): string {
  return `198.${18 + (Math.floor(nth / 62_500) % 2)}.${Math.floor(nth / 250) % 250}.${(nth % 250) + 1}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An answer of the balancer or a page: its text is enough.
    return text.slice(0, 200);
  }
}

/** Hostile requests as plain data: a friendly request to some route, with a few parts made wrong. */
import fc from 'fast-check';
import { jsonBody, uploadBody } from './bodies.ts';
import { mood, rarely } from './draw.ts';
import type { FuzzRoute } from './routes/route.ts';
import { ROUTES } from './routes/routes.ts';
import { encoded, headerText, hostileText, printable } from './values.ts';

export const TOKENS = [
  ...['none', 'anonKey', 'attacker', 'paid', 'expired', 'algNone', 'otherKey', 'sharedSecret', 'tampered'],
  ...['wrongAudience', 'endedSession', 'noSession', 'cut', 'garbage', 'basic', 'readKey'],
] as const;
export type TokenName = (typeof TOKENS)[number];

/** None of these may grant access; a key of the read API opens only the read API. */
export const FORGED: ReadonlySet<TokenName> = new Set<TokenName>([
  ...([
    'expired',
    'algNone',
    'otherKey',
    'sharedSecret',
    'tampered',
    'wrongAudience',
    'endedSession',
    'noSession',
    'cut',
    'garbage',
    'basic',
    'readKey',
  ] as const),
]);

export interface FuzzRequest {
  route: FuzzRoute;
  method: string;
  /** Path and query as in the request line; the sender fills in names between @. */
  target: string;
  headers: readonly (readonly [string, string])[];
  apiKey: TokenName;
  token: TokenName;
  /** Latin-1: one character per octet. Null: no body. */
  body: string | null;
}

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'PURGE',
  'LOCK',
  'QUERY',
];

function targetOf(route: FuzzRoute): fc.Arbitrary<string> {
  const parts = route.path.split(/(\{\w+\})/);
  const path = fc
    .tuple(...parts.map((part) => (part.startsWith('{') ? pathPart(part) : fc.constant(part))))
    .map((filled) => filled.join(''));
  const known = Object.entries(route.query ?? {});
  const query = fc
    .record({
      // A table has many columns, and a few are enough; other routes get all their parameters.
      pairs: fc.subarray(known, {
        minLength: known.length > 8 ? 0 : Math.min(known.length, 1),
        maxLength: Math.min(known.length, 5),
      }),
      all: fc.nat(3).map((drawn) => drawn > 0),
      goodOfTen: mood,
      hasExtra: rarely(10),
      isRepeated: rarely(12),
      name: encoded(hostileText),
      value: encoded(hostileText),
    })
    .chain(({ pairs, all, goodOfTen, hasExtra, isRepeated, name, value }) =>
      fc
        .tuple(...(all && known.length <= 8 ? known : pairs).map(([key, good]) => parameter(key, good, goodOfTen)))
        .map((drawn) => {
          const filled: string[] = [...drawn];
          if (isRepeated && filled[0] !== undefined) filled.push(filled[0]);
          if (hasExtra) filled.push(`${name}=${value}`);
          return filled.length === 0 ? '' : `?${filled.join('&')}`;
        }),
    );
  return fc.tuple(path, query).map(([filled, search]) => printable(filled + search));
}

function parameter(key: string, good: fc.Arbitrary<string>, goodOfTen: number): fc.Arbitrary<string> {
  const proper = good.map((text) => encodeURIComponent(text.toWellFormed()));
  return fc
    .nat(9)
    .chain((way) => (way < goodOfTen ? proper : encoded(fc.oneof(good, hostileText))))
    .map((value) => `${key}=${value}`);
}

const pathPart = (part: string) =>
  part === '{id}'
    ? fc.oneof(fc.constant('@victim.id@'), fc.uuid(), encoded(hostileText))
    : fc.oneof(fc.constantFrom('1', 'a-b', 'avatars'), encoded(hostileText));

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  prefer: [
    'count=exact',
    'return=representation',
    'return=minimal',
    'resolution=merge-duplicates',
    'count=planned',
    'tx=rollback',
    'handling=strict,max-affected=1',
  ],
  accept: ['application/vnd.pgrst.object+json', '*/*', 'text/csv', 'application/json;q=0', 'x'],
  'accept-profile': ['public', 'auth', 'private', 'storage', 'pg_catalog'],
  'content-profile': ['public', 'auth', 'private'],
  range: ['0-0', '0-99999999999', '5-1', 'bytes=0-1', '-5', 'bytes=0-0,1-1,2-2'],
  'x-upsert': ['true', 'maybe'],
  'last-event-id': ['1', '50', '-1', 'x'],
  origin: ['https://evil.example', 'null'],
  host: ['evil.example', 'localhost:1', '[::1', 'a b'],
  cookie: ['a=b'],
  'x-forwarded-for': ['1.2.3.4', "'; drop"],
  'x-forwarded-host': ['evil.example'],
  'x-http-method-override': ['DELETE'],
  'content-encoding': ['gzip', 'br'],
  'if-none-match': ['*', '"x"'],
  'x-request-id': ['abcdefgh-1', 'x y', '../..'],
  'x-client-info': ['supabase-js/2'],
  'x-metadata': ['e30=', '!!'],
};

const extraHeaders = fc
  .array(
    fc
      .constantFrom(...Object.keys(HEADERS))
      .chain((name) =>
        fc.tuple(fc.constant(name), fc.nat(9), fc.constantFrom(...(HEADERS[name] ?? [''])), hostileText),
      ),
    { maxLength: 2 },
  )
  .map((drawn) => drawn.map(([name, way, usual, hostile]) => [name, way < 8 ? usual : headerText(hostile)] as const));

/** A friendly request, except for one hostile query parameter. */
function requestWithHostile(route: FuzzRoute, hostileName: string): fc.Arbitrary<FuzzRequest> {
  const query = Object.entries(route.query ?? {}).map(([name, good]) =>
    name === hostileName ? encoded(hostileText).map((value) => `${name}=${value}`) : parameter(name, good, 10),
  );
  const [method = 'GET'] = route.methods;
  const hasBody = method !== 'GET' && method !== 'HEAD' && route.body !== undefined;
  return fc.tuple(...query).map((drawn) => ({
    route,
    method,
    target: printable(`${route.path.replaceAll(/\{\w+\}/g, 'x')}?${drawn.join('&')}`),
    headers: hasBody ? [['content-type', 'application/json'] as const] : [],
    apiKey: 'anonKey',
    token: route.readsKey ? 'readKey' : 'attacker',
    body: hasBody ? '{}' : null,
  }));
}

function requestOf(route: FuzzRoute): fc.Arbitrary<FuzzRequest> {
  const body = route.isUpload ? uploadBody : jsonBody(route.body ?? {});
  return fc
    .record({
      usual: fc.constantFrom(...route.methods),
      odd: fc.constantFrom(...METHODS),
      isOdd: rarely(10),
      target: targetOf(route),
      extra: extraHeaders,
      hasNoKey: rarely(12),
      oddKey: fc.constantFrom(...TOKENS),
      token: fc.oneof(
        { weight: 4, arbitrary: fc.constant<TokenName>(route.readsKey ? 'readKey' : 'attacker') },
        { weight: 1, arbitrary: fc.constant<TokenName>('paid') },
        { weight: 1, arbitrary: fc.constant<TokenName>('none') },
        { weight: 3, arbitrary: fc.constantFrom(...TOKENS) },
      ),
      body,
    })
    .map(({ usual, odd, isOdd, target, extra, hasNoKey, oddKey, token, body: { text, type } }) => {
      const method = isOdd ? odd : usual;
      const hasBody = method !== 'GET' && method !== 'HEAD' && (route.body !== undefined || route.isUpload === true);
      return {
        route,
        method,
        target: target.startsWith('/') ? target : `/${target}`,
        headers: hasBody ? [...extra, ['content-type', type] as const] : extra,
        apiKey: hasNoKey ? oddKey : 'anonKey',
        token,
        // Without digits the clock cannot move: a new time would expire the tokens of every other request.
        body: hasBody ? (route.path === '/dev/clock' ? text.replaceAll(/\d/g, '') : text) : null,
      };
    });
}

const requests: fc.Arbitrary<FuzzRequest> = fc.oneof(
  ...ROUTES.map((route) => ({ weight: route.weight ?? 3, arbitrary: requestOf(route) })),
);

/** The same seed gives the same requests. */
export function fuzzRequests(count: number, seed: number): FuzzRequest[] {
  return fc.sample(requests, { numRuns: count, seed });
}

/** One request per route. The same seed gives the same requests. */
export function requestOfEachRoute(seed: number): FuzzRequest[] {
  return ROUTES.map((route, index) => drawn(requestOf(route), seed + index));
}

/** One parameter is hostile, the others valid. Tables are left out because one grammar handles all their parameters. */
export function requestOfEachParameter(seed: number): FuzzRequest[] {
  return ROUTES.filter(({ path }) => !path.startsWith('/rest/v1/'))
    .flatMap((route) => Object.keys(route.query ?? {}).map((name) => requestWithHostile(route, name)))
    .map((request, index) => drawn(request, seed + index));
}

/** Unbiased: the runner's preference for small values would make every first draw the same. */
function drawn<T>(arbitrary: fc.Arbitrary<T>, seed: number): T {
  const [one] = fc.sample(arbitrary, { numRuns: 1, seed, unbiased: true });
  if (one === undefined) throw new Error('nothing was drawn');
  return one;
}

/** Hostile requests as plain data: a friendly one of some route, with a few things about it made wrong. */
import fc from 'fast-check';
import { type FuzzRoute, ROUTES } from './routes.ts';
import { encoded, hostileJson, hostileText, printable } from './values.ts';

export const TOKENS = [
  ...['none', 'anonKey', 'attacker', 'paid', 'expired', 'algNone', 'otherKey', 'sharedSecret', 'tampered'],
  ...['wrongAudience', 'endedSession', 'noSession', 'cut', 'garbage', 'basic'],
] as const;
export type TokenName = (typeof TOKENS)[number];

/** Nobody may get in with one of these. */
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
  ] as const),
]);

export interface FuzzRequest {
  route: FuzzRoute;
  method: string;
  /** Path and query as they stand in the request line; names between @ are filled in by the sender. */
  target: string;
  headers: readonly (readonly [string, string])[];
  apiKey: TokenName;
  token: TokenName;
  /** Latin-1: one character an octet. Null: none. */
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

/** True in one case of `outOf`. */
const rarely = (outOf: number) => fc.nat(outOf - 1).map((drawn) => drawn === 0);

/** Of ten values, how many are as they should be: a request that is wrong all over is refused at its first word. */
const mood = fc.constantFrom(4, 8, 9, 10, 10);

function fieldsOf(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) {
  const names = Object.keys(fields);
  return mood.chain((goodOfTen) =>
    fc
      .tuple(
        ...names.map((name) =>
          fc.tuple(
            fc.constant(name),
            fc.nat(9).chain((way) => (way < goodOfTen ? (fields[name] ?? hostileJson) : hostileJson)),
            rarely(5),
          ),
        ),
      )
      .map((drawn) => drawn.filter(([, , isLeftOut]) => !isLeftOut).map(([name, value]) => [name, value] as const)),
  );
}

function targetOf(route: FuzzRoute): fc.Arbitrary<string> {
  const parts = route.path.split(/(\{\w+\})/);
  const path = fc
    .tuple(...parts.map((part) => (part.startsWith('{') ? pathPart(part) : fc.constant(part))))
    .map((filled) => filled.join(''));
  const known = Object.entries(route.query ?? {});
  const query = fc
    .record({
      // A table's columns are many, and a few of them are enough; other routes want all they know.
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

/** What a client can put into a header at all. */
const headerText = (text: string) =>
  Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '')
    .slice(0, 500);

const octets = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding).toString('latin1');

interface Body {
  text: string;
  type: string;
}

function jsonBody(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Body> {
  return fc
    .tuple(fieldsOf(fields), fc.nat(69), rarely(8), hostileText, hostileJson)
    .map(([pairs, way, hasExtra, name, value]) => {
      const entries = hasExtra ? [...pairs, [name, value] as const] : pairs;
      const text = JSON.stringify(Object.fromEntries(entries.map(([key, one]) => [key, one])));
      return { type: 'application/json', ...brokenJson(text, value, way) };
    });
}

/** Whole, mostly; else broken in one of the ways that JSON can be. */
function brokenJson(text: string, value: unknown, way: number): Partial<Body> & { text: string } {
  switch (way) {
    case 0:
      return { text: octets(text.slice(0, text.length / 2)) };
    case 1:
      return { text: octets(`\ufeff${text}`, 'utf16le') };
    case 2:
      return { text: octets(text).replace('"', '"\xff\xc3\x28') };
    case 3:
      return { text: `${'['.repeat(9000)}${']'.repeat(9000)}` };
    case 4:
      return { text: octets(text).replace(/:("[^"]*"|\d+)/, `:1${'0'.repeat(400)}`) };
    case 5:
      return { text: octets(text).replace('{', '{"email":1,"email":{},"__proto__":{"role":"admin"},') };
    case 6:
      return { text: octets(`[${text},${text}]`) };
    case 7:
      return { text: octets(JSON.stringify(value) ?? '') };
    case 8:
      return { text: `${octets(text)}\x00` };
    case 9:
      return { text: octets(text), type: 'application/x-www-form-urlencoded' };
    case 10:
      return { text: octets(text), type: 'text/csv' };
    case 11:
      return { text: octets(text), type: 'multipart/form-data; boundary=x' };
    case 12:
      return { text: '' };
    case 13:
      return { text: octets(text), type: "application/json; charset='utf-16'" };
    case 14:
      return { text: octets(text).replace('{', `{"pad":"${'p'.repeat(70_000)}",`) };
    case 15:
      return { text: octets(text).replaceAll('a', '\\u0000') };
    case 16:
      return { text: `"${'\\ud800'.repeat(20)}"` };
    default:
      return { text: octets(text) };
  }
}

const PNG = octets(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const FILES = [
  PNG,
  PNG.slice(0, 30),
  `\xff\xd8\xff\xe0${'x'.repeat(99)}`,
  '<svg onload="x">',
  'GIF89a',
  '',
  PNG + PNG,
  'RIFF\0\0\0\0WEBPVP8 ',
];

const uploadBody: fc.Arbitrary<Body> = fc
  .tuple(fc.constantFrom(...FILES), fc.nat(15), hostileText)
  .map(([file, way, hostile]) => {
    const type = 'multipart/form-data; boundary=b';
    const name = headerText(hostile).replaceAll('"', '');
    const part = (head: string, content: string) => `--b\r\n${head}\r\n\r\n${content}\r\n`;
    const field = 'content-disposition: form-data; name=""; filename="x.png"\r\ncontent-type: image/png';
    switch (way) {
      case 0:
        return { type: 'multipart/form-data', text: part(field, file) };
      case 1:
        return { type, text: part(field, file) };
      case 2:
        return { type, text: `${part('content-disposition: form-data', file)}--b--\r\n` };
      case 3:
        return {
          type,
          text: `${part(`content-disposition: form-data; name="${name}"; filename="${name}"`, file)}--b--\r\n`,
        };
      case 4:
        return {
          type,
          text: `${Array.from({ length: 300 }, (_, n) => part(`content-disposition: form-data; name="f${n}"`, 'x')).join('')}--b--`,
        };
      case 5:
        return { type, text: `${part(`x-pad: ${'p'.repeat(20_000)}`, file)}--b--` };
      case 6:
        return { type: 'image/png', text: file };
      case 7:
        return { type: headerText(hostile) || 'x', text: file };
      case 8:
        return { type: 'application/json', text: '{}' };
      case 9:
        return { type, text: `--b--\r\n` };
      case 10:
        return { type, text: part('content-disposition: form-data; name="cacheControl"', '3600') + part(field, file) };
      default:
        return {
          type,
          text: `${part('content-disposition: form-data; name="cacheControl"', '3600')}${part(field, file)}--b--\r\n`,
        };
    }
  });

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
        { weight: 4, arbitrary: fc.constant<TokenName>('attacker') },
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
        // Another time would be another time for everybody: every token would run out.
        body: hasBody ? (route.path === '/dev/clock' ? text.replaceAll(/\d/g, '') : text) : null,
      };
    });
}

const requests: fc.Arbitrary<FuzzRequest> = fc.oneof(
  ...ROUTES.map((route) => ({ weight: route.weight ?? 3, arbitrary: requestOf(route) })),
);

/** The same for the same seed. */
export function fuzzRequests(count: number, seed: number): FuzzRequest[] {
  return fc.sample(requests, { numRuns: count, seed });
}

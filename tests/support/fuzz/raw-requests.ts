/** HTTP that no client library would write: whole requests, octet by octet, and some that never end. */
import fc from 'fast-check';
import { hostileText } from './values.ts';

const line = fc.constantFrom(
  ...[
    'GET /healthz HTTP/1.1',
    'get /healthz HTTP/1.1',
    'GET  /healthz  HTTP/1.1',
    'GET /healthz',
    'GET /healthz HTTP/9.9',
  ],
  ...['GET http://evil.example/config.json HTTP/1.1', 'GET //evil.example/config.json HTTP/1.1', 'GET * HTTP/1.1'],
  ...[
    'OPTIONS * HTTP/1.1',
    'CONNECT evil.example:443 HTTP/1.1',
    'TRACE /auth/v1/user HTTP/1.1',
    'X HTTP/1.1',
    '',
    '\r\n\r\n',
  ],
  ...['POST /auth/v1/token?grant_type=password HTTP/1.1', 'POST /rest/v1/error_logs HTTP/1.1', 'PRI * HTTP/2.0'],
  ...[
    'GET /rest/v1/%00 HTTP/1.1',
    'GET /\\..\\x HTTP/1.1',
    'GET /rest/v1/\xff\xfe HTTP/1.1',
    'GET /auth/v1/../../x HTTP/1.1',
  ],
  ...[
    'GET /a b HTTP/1.1',
    'GET /#x HTTP/1.1',
    `GET /${'a'.repeat(20_000)} HTTP/1.1`,
    'GET ?x=1 HTTP/1.1',
    '\x16\x03\x01\x02',
  ],
  ...[
    'POST /storage/v1/object/avatars/x.png HTTP/1.1',
    'POST /functions/v1/get-quota HTTP/1.1',
    'GET /stream-kat2 HTTP/1.1',
  ],
);
const header = fc.constantFrom(
  ...[
    'host: 127.0.0.1',
    'host: 127.0.0.1',
    'host: 127.0.0.1',
    'host: a\r\nhost: b',
    'host:',
    'host: evil.example',
    'host: a b',
  ],
  ...[
    'content-length: 5',
    'content-length: -1',
    'content-length: 5\r\ncontent-length: 6',
    'content-length: 99999999999999',
  ],
  ...['transfer-encoding: chunked', 'transfer-encoding: chunked\r\ncontent-length: 3', 'transfer-encoding: gzip, x'],
  ...[
    'transfer-encoding : chunked',
    'no colon at all',
    ': empty',
    ' folded',
    `x: ${'y'.repeat(20_000)}`,
    'x: a\x00b',
    'x: a\x01b',
  ],
  ...[
    'expect: 100-continue',
    'expect: tea',
    'connection: upgrade\r\nupgrade: websocket',
    'upgrade: h2c',
    'connection: close',
  ],
  ...[
    'content-type: application/json',
    'content-type: multipart/form-data',
    'authorization: Bearer \xff',
    'range: bytes=0-',
  ],
);
const body = fc.constantFrom(
  ...[
    '',
    '{"a":1}',
    '5\r\nhello\r\n0\r\n\r\n',
    'zz\r\nhello',
    'ffffffffffffffff\r\nx',
    '5\r\nhel',
    '0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
  ],
  ...['-1\r\n', '\x00\x01\x02', '5;x=y\r\nhello\r\n0\r\ntrailer: x\r\n\r\n', 'GET /healthz HTTP/1.1\r\n\r\n'],
);

const rawRequest = fc
  .tuple(line, fc.array(header, { maxLength: 4 }), body, fc.nat(19), hostileText)
  .map(([first, headers, content, way, hostile]) => {
    if (way === 0) return Buffer.from(hostile).toString('latin1');
    // Never finished: the server must neither wait for ever nor fail.
    if (way === 1) return [first, ...headers].join('\r\n');
    const end = way === 2 ? '\n' : '\r\n';
    return `${[first, ...headers].join(end)}${end}${end}${content}`;
  });

/** Latin-1: one character per octet. The same seed gives the same requests. */
export function rawRequests(count: number, seed: number): string[] {
  return fc.sample(rawRequest, { numRuns: count, seed });
}

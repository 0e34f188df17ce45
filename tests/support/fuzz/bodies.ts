import fc from 'fast-check';
import { mood, rarely } from './draw.ts';
import { headerText, hostileJson, hostileText } from './values.ts';

const octets = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding).toString('latin1');

export interface Body {
  text: string;
  type: string;
}

export function jsonBody(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Body> {
  return fc
    .tuple(fieldsOf(fields), fc.nat(69), rarely(8), hostileText, hostileJson)
    .map(([pairs, way, hasExtra, name, value]) => {
      const entries = hasExtra ? [...pairs, [name, value] as const] : pairs;
      const text = JSON.stringify(Object.fromEntries(entries.map(([key, one]) => [key, one])));
      return { type: 'application/json', ...brokenJson(text, value, way) };
    });
}

/** Mostly valid, else broken in one of the ways that JSON can be. */
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

export const uploadBody: fc.Arbitrary<Body> = fc
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

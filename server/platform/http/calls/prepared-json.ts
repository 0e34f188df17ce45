import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

export interface PreparedJson {
  text: string;
  zipped: Uint8Array<ArrayBuffer>;
  eTag: string;
}

export function prepareJson(body: unknown): PreparedJson {
  const text = JSON.stringify(body);
  // The tag is weak: it names the content, whatever its compression.
  const eTag = `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
  return { text, zipped: Uint8Array.from(gzipSync(text)), eTag };
}

/** Answers 304 to clients that already have it. @param caching  value of Cache-Control */
export function answerPrepared(c: Context, { text, zipped, eTag }: PreparedJson, caching: string): Response {
  const headers = { 'cache-control': caching, etag: eTag, vary: 'accept-encoding' };
  if (isKnown(c.req.header('if-none-match'), eTag)) return c.body(null, 304, headers);
  const json = { ...headers, 'content-type': 'application/json' };
  return takesGzip(c) ? c.body(zipped, 200, { ...json, 'content-encoding': 'gzip' }) : c.body(text, 200, json);
}

function takesGzip(c: Context): boolean {
  return accepts(c, { header: 'Accept-Encoding', supports: ['gzip', 'identity'], default: 'identity' }) === 'gzip';
}

/** @param ifNoneMatch  value of If-None-Match */
export function isKnown(ifNoneMatch: string | undefined, eTag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const plain = (tag: string): string => tag.trim().replace(/^W\//, '');
  const tags = ifNoneMatch.split(',').map(plain);
  return tags.includes('*') || tags.includes(plain(eTag));
}

/**
 * The built HTML documents as visitors get them: the site's origin filled in, compressed, with a tag by which a browser
 * knows that it has them already. A build never changes, so each is made once for each origin.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ORIGIN_PLACEHOLDER } from '#domain/site/page-head.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

export interface SiteDocument {
  bodies: Readonly<Record<Encoding, Uint8Array<ArrayBuffer>>>;
  hash: string;
  /** SHA-256 in base64 of each script that the build wrote into it. */
  scripts: readonly string[];
}

export interface SiteDocuments {
  /** @param file  below the site's folder; null when it is not there */
  read(file: string, origin: string): Promise<SiteDocument | null>;
}

/** A site has some thirty documents, and few names. Beyond, the one that was asked for first makes room. */
const MAX_KEPT = 256;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

export function siteDocuments(siteDir: string): SiteDocuments {
  const kept = new Map<string, Promise<SiteDocument | null>>();
  return {
    read(file, origin) {
      const key = `${origin}\n${file}`;
      const known = kept.get(key);
      if (known) return known;
      const making = make(join(siteDir, file), origin);
      const [oldest] = kept.keys();
      if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      kept.set(key, making);
      // What is not there yet may be built while the server runs.
      making.then((made) => made ?? kept.delete(key)).catch(() => kept.delete(key));
      return making;
    },
  };
}

async function make(path: string, origin: string): Promise<SiteDocument | null> {
  const text = await readFile(path, 'utf8').catch(unlessMissing);
  if (text === null) return null;
  const identity = Buffer.from(text.replaceAll(ORIGIN_PLACEHOLDER, escapeAttribute(origin)));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
  const [br, gz] = await Promise.all([brotli(identity, { params }), gzipped(identity, { level: 9 })]);
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  return { bodies: { identity, br, gzip: gz }, hash, scripts: scriptsInside(text) };
}

/** As the build wrote them: nothing that is filled in later can become one. */
function scriptsInside(text: string): string[] {
  const scripts = text.matchAll(/<script>(.*?)<\/script>/gs);
  return Array.from(scripts, ([, script = '']) => createHash('sha256').update(script).digest('base64'));
}

function unlessMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** The shortest form that the caller takes, by its Accept-Encoding. */
export function chooseEncoding(accepted: string | undefined): Encoding {
  const taken = new Set<string>();
  for (const part of (accepted ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) taken.add(name);
  }
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : 'identity';
}

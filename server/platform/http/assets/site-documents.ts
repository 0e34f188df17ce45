/** The built documents with origin and environment filled in, compressed and tagged; prepared once per origin. */

import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { escapeHtml } from '#domain/format/escape-html.ts';
import { UNKNOWN_ENVIRONMENT } from '#domain/site/environment.ts';
import { ORIGIN_PLACEHOLDER } from '#domain/site/page-head.ts';
import { nullIfMissing } from '../../error-code.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

export interface SiteDocument {
  bodies: Readonly<Record<Encoding, Uint8Array<ArrayBuffer>>>;
  hash: string;
  /** SHA-256 in base64 of each inline script that the build wrote. */
  scripts: readonly string[];
}

export interface SiteDocuments {
  /** @param file  path under the site's folder. @returns null if it does not exist */
  read(file: string, origin: string): Promise<SiteDocument | null>;
}

/** A site has about thirty documents and few host names. Beyond this number, the oldest entry is evicted. */
const MAX_CACHED = 256;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** @param environment  attribute of the root element, as domain/site/environment.ts makes it */
export function siteDocuments(siteDir: string, environment = UNKNOWN_ENVIRONMENT): SiteDocuments {
  const cache = new Map<string, Promise<SiteDocument | null>>();
  return {
    read(file, origin) {
      const key = `${origin}\n${file}`;
      const known = cache.get(key);
      if (known) return known;
      const making = make(join(siteDir, file), origin, environment);
      const [oldest] = cache.keys();
      if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest);
      cache.set(key, making);
      // A missing file is not cached, because it may be built while the server runs.
      making.then((document) => document ?? cache.delete(key)).catch(() => cache.delete(key));
      return making;
    },
  };
}

async function make(path: string, origin: string, environment: string): Promise<SiteDocument | null> {
  const text = await readFile(path, 'utf8').catch(nullIfMissing);
  if (text === null) return null;
  const located = text.replaceAll(ORIGIN_PLACEHOLDER, escapeHtml(origin));
  const identity = Buffer.from(located.replace(UNKNOWN_ENVIRONMENT, environment));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
  const [br, gz] = await Promise.all([brotli(identity, { params }), gzipped(identity, { level: 9 })]);
  const shortHash = hash('sha256', identity, 'base64url').slice(0, 22);
  return { bodies: { identity, br, gzip: gz }, hash: shortHash, scripts: scriptsInside(text) };
}

/** Hashed as the build wrote them, so text filled in later can never become an allowed script. */
function scriptsInside(text: string): string[] {
  const scripts = text.matchAll(/<script>(.*?)<\/script>/gs);
  return Array.from(scripts, ([, script = '']) => hash('sha256', script, 'base64'));
}

/** The smallest encoding that the client accepts in its Accept-Encoding header. */
export function chooseEncoding(accepted: string | undefined): Encoding {
  const taken = new Set<string>();
  for (const part of (accepted ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) taken.add(name);
  }
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : 'identity';
}

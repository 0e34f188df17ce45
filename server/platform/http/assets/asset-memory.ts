/**
 * Caches the build's hashed files in memory. A first visit requests sixty of them, and reading one from disk costs five
 * times as much as sending it. File names change with their content, so a cached file is never stale.
 */
import type { Context } from 'hono';
import { chooseEncoding } from './site-documents.ts';

/** A build has about three megabytes of these files in each encoding. */
const MAX_BYTES = 32 << 20;

interface CachedAsset {
  body: Uint8Array<ArrayBuffer>;
  headers: readonly [string, string][];
}

export interface AssetMemory {
  /** @returns null if the file is not cached yet or only a range is requested */
  find(c: Context): Response | null;
  store(c: Context, answer: Response): Promise<Response>;
}

/** @param maxBytes  beyond this size, the oldest files are evicted */
export function assetMemory(maxBytes = MAX_BYTES): AssetMemory {
  const cache = new Map<string, CachedAsset>();
  let bytes = 0;
  return {
    find(c) {
      if (!isWhole(c)) return null;
      const asset = cache.get(keyOf(c));
      return asset === undefined ? null : new Response(asset.body, { headers: [...asset.headers] });
    },
    async store(c, answer) {
      const encoding = answer.headers.get('content-encoding');
      // A plain response suits every client; a compressed one only those that chose its encoding.
      const isForm = encoding === null || encoding === encodingOf(c);
      if (answer.status !== 200 || !isWhole(c) || !isForm) return answer;
      const body = new Uint8Array(await answer.arrayBuffer());
      const asset = { body, headers: [...answer.headers] };
      for (const [key, { body: old }] of cache) {
        if (bytes + body.length <= maxBytes) break;
        cache.delete(key);
        bytes -= old.length;
      }
      const key = keyOf(c);
      if (bytes + body.length <= maxBytes && !cache.has(key)) {
        cache.set(key, asset);
        bytes += body.length;
      }
      return new Response(body, { headers: answer.headers });
    },
  };
}

function isWhole(c: Context): boolean {
  return c.req.method === 'GET' && c.req.header('range') === undefined;
}

function encodingOf(c: Context): string {
  return chooseEncoding(c.req.header('accept-encoding'));
}

function keyOf(c: Context): string {
  return `${encodingOf(c)} ${c.req.path}`;
}

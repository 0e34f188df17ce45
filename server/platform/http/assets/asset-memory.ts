/**
 * The build's hashed files as they were answered last, from memory: a first visit asks for sixty, and reading each from
 * the disk costs five times what sending it does. Their names change with their content, so what is kept is never stale.
 */
import type { Context } from 'hono';
import { chooseEncoding } from './site-documents.ts';

/** A build has some three megabytes of them in each form. */
const MAX_BYTES = 32 << 20;

interface KeptAsset {
  body: Uint8Array<ArrayBuffer>;
  headers: readonly [string, string][];
}

export interface KeptAssets {
  /** @returns null where it must be read: unknown yet, or a part of it is asked for */
  find(c: Context): Response | null;
  /** Keeps a whole answer, and gives it back to be sent. */
  keep(c: Context, answer: Response): Promise<Response>;
}

/** @param maxBytes  beyond, what was kept first makes room */
export function keptAssets(maxBytes = MAX_BYTES): KeptAssets {
  const kept = new Map<string, KeptAsset>();
  let bytes = 0;
  return {
    find(c) {
      if (!isWhole(c)) return null;
      const asset = kept.get(keyOf(c));
      return asset === undefined ? null : new Response(asset.body, { headers: [...asset.headers] });
    },
    async keep(c, answer) {
      const encoding = answer.headers.get('content-encoding');
      // Whoever takes a form takes the plain one too, but not the reverse.
      const isForm = encoding === null || encoding === encodingOf(c);
      if (answer.status !== 200 || !isWhole(c) || !isForm) return answer;
      const body = new Uint8Array(await answer.arrayBuffer());
      const asset = { body, headers: [...answer.headers] };
      for (const [key, { body: old }] of kept) {
        if (bytes + body.length <= maxBytes) break;
        kept.delete(key);
        bytes -= old.length;
      }
      const key = keyOf(c);
      if (bytes + body.length <= maxBytes && !kept.has(key)) {
        kept.set(key, asset);
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

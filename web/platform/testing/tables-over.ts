/** The client of the tables over a fetch of a test's own: what is asked for is what the library makes of it. */
import { PostgrestClient } from '@supabase/postgrest-js';
import { vi } from 'vitest';
import type { tables } from '../supabase.ts';

export function tablesOver(fetch: typeof globalThis.fetch): Awaited<ReturnType<typeof tables>> {
  const rest = new PostgrestClient('http://kat.test/rest/v1', { fetch });
  return { from: rest.from.bind(rest), rpc: rest.rpc.bind(rest), ask: vi.fn() };
}

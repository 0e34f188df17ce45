/** How Node runs the server: with little memory, at little cost (docs/decisions/070-idle-memory.md). */
import { join } from 'node:path';

/** Space for new objects, in MiB each of two. Node's default of 16 keeps 65 MiB more resident when idle. */
export const SERVER_FLAGS = ['--max-semi-space-size=8'];

/**
 * Compiled code is stored, so the next start neither compiles nor holds the sources. Two arenas suffice, because only
 * one thread allocates much outside the heap.
 *
 * @param {string} root  the repository's folder
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function serverEnvironment(root, env) {
  return { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'), ...env };
}

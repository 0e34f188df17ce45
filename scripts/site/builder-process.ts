/**
 * A builder runs in its own process. It ends when the process that started it ends, even by `kill -9`, and leaves
 * nothing half-finished behind.
 */
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DIST_DIR } from './site-cache.ts';

/** Where a builder puts what only it needs. @param result  the folder that it fills */
export function scratchOf(result: string): string {
  // Below the packages that the documentation's theme imports, wherever the result is.
  return join(DIST_DIR, `${basename(result)}.scratch`);
}

/** @param result  removed unless the builder succeeds */
export function endWithParent(result: string): void {
  const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });
  process.on('exit', (code) => {
    remove(scratchOf(result));
    if (code !== 0) remove(result);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
  process.on('disconnect', () => process.exit(1));
  // Waiting for the parent's end keeps no finished builder alive.
  process.channel?.unref();
}

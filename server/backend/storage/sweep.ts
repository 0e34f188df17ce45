/** Removes files without a row, left by a crash between writing the two. Runs once at every start. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Core } from '../../core.ts';
import type { ObjectFiles } from './files/object-files.ts';
import { unknownVersions } from './object-store.ts';

export interface ObjectSweepDeps extends Pick<Core, 'database' | 'log'> {
  files: ObjectFiles;
}

/** An upload in progress, here or in another process, has bytes before it has a row. */
const MIN_AGE_MS = 60 * 60 * 1000;
const BATCH = 500;
/** If most files are unknown, this is probably not the database they belong to. */
const MAX_ORPHANS = 100;

/** @returns a function that stops it and waits for its end */
export function startFileSweep(deps: ObjectSweepDeps): () => Promise<void> {
  const stopping = new AbortController();
  // Delayed, because the server start itself is busy.
  const done = sleep(10_000, undefined, { signal: stopping.signal, ref: false })
    .then(() => sweep(deps, stopping.signal))
    .catch((error: unknown) => {
      if (!stopping.signal.aborted) deps.log.warn({ err: error }, 'the sweep of stored files failed');
    });
  return async () => {
    stopping.abort();
    await done;
  };
}

/** @returns how many files were removed */
export async function sweep(deps: ObjectSweepDeps, signal?: AbortSignal): Promise<number> {
  const oldest = Date.now() - MIN_AGE_MS;
  const old: string[] = [];
  for await (const file of deps.files.list()) {
    signal?.throwIfAborted();
    if (file.writtenAtMs < oldest) old.push(file.name);
  }
  const orphans: string[] = [];
  for (let at = 0; at < old.length; at += BATCH) {
    signal?.throwIfAborted();
    orphans.push(...(await unknownVersions(deps.database, old.slice(at, at + BATCH))));
  }
  if (orphans.length > MAX_ORPHANS && orphans.length > old.length / 2) {
    deps.log.warn(
      { files: old.length, unknown: orphans.length },
      'most stored files have no row in this database: none was removed',
    );
    return 0;
  }
  for (const name of orphans) {
    signal?.throwIfAborted();
    await deps.files.remove(name);
  }
  if (orphans.length > 0) deps.log.info({ removed: orphans.length }, 'stored files without a row were removed');
  return orphans.length;
}

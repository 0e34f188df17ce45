/**
 * How far the write-ahead log is written and how far it is on the disk. The database thread writes the log; the main
 * thread syncs it while that thread works on. Both read and write these few numbers in shared memory.
 */

/** Counters wrap around, so they are compared by their difference. */
export type WalProgress = Int32Array<SharedArrayBuffer>;

/** Syncs that PostgreSQL requested of the log: one for each commit that wrote something. */
const REQUESTED = 0;
/** The last request that a sync covered. */
const SYNCED = 1;
/** The segment of the last request: timeline, log and number, as in its file's name. */
const SEGMENT = 2;
const SEGMENT_PARTS = 3;
const HEX_DIGITS = 8;

const SEGMENT_NAME = /^[0-9A-F]{24}$/;

export function walProgress(): WalProgress {
  return new Int32Array(new SharedArrayBuffer((SEGMENT + SEGMENT_PARTS) * Int32Array.BYTES_PER_ELEMENT));
}

/** Files of the log besides its segments (drafts of new ones, summaries) are synced like any other file. */
export function isSegmentName(name: string): boolean {
  return SEGMENT_NAME.test(name);
}

/** Called by the database thread. A sync of `segment` from now on covers this request and every earlier one. */
export function requestSync(progress: WalProgress, segment: string): void {
  for (let part = 0; part < SEGMENT_PARTS; part += 1) {
    const digits = segment.slice(part * HEX_DIGITS, (part + 1) * HEX_DIGITS);
    Atomics.store(progress, SEGMENT + part, Number.parseInt(digits, 16) | 0);
  }
  Atomics.add(progress, REQUESTED, 1);
}

/** Read this before `segmentOf`: an earlier segment was synced before its successor was named. */
export function requestedOf(progress: WalProgress): number {
  return Atomics.load(progress, REQUESTED);
}

export function segmentOf(progress: WalProgress): string {
  return Array.from({ length: SEGMENT_PARTS }, (_, part) =>
    (Atomics.load(progress, SEGMENT + part) >>> 0).toString(16).toUpperCase().padStart(HEX_DIGITS, '0'),
  ).join('');
}

export function isSynced(progress: WalProgress, request: number): boolean {
  return ((request - Atomics.load(progress, SYNCED)) | 0) <= 0;
}

/** The two threads may both sync; the later request wins. */
export function recordSynced(progress: WalProgress, request: number): void {
  let known = Atomics.load(progress, SYNCED);
  while (((request - known) | 0) > 0) {
    const found = Atomics.compareExchange(progress, SYNCED, known, request);
    if (found === known) return;
    known = found;
  }
}

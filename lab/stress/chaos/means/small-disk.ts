/** A separate disk that can be filled: a size-limited file system in memory. Needs root. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  folder: string;
  /** Takes all free space, and any that becomes free later, until `makeRoom` was called as often. */
  fill(): void;
  makeRoom(): void;
  close(): void;
}

const BLOCK = Buffer.alloc(16 << 10);
const AGAIN_MS = 200;

/** @returns `skipped` with the reason if none can be mounted */
export function openSmallDisk(sizeMiB: number): SmallDisk | { skipped: string } {
  const folder = mkdtempSync(join(tmpdir(), 'kat-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m,mode=777`, 'kat-disk', folder]);
  if (mounted.status !== 0) {
    rmdirSync(folder);
    return { skipped: 'no file system of a bounded size can be mounted here: that needs root' };
  }
  const filler = join(folder, 'filler');
  let timer: NodeJS.Timeout | null = null;
  let fills = 0;

  function fillNow(): void {
    const file = openSync(filler, 'a');
    try {
      for (;;) writeSync(file, BLOCK);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    } finally {
      closeSync(file);
    }
  }
  function stopFilling(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
    rmSync(filler, { force: true });
  }

  return {
    folder,
    fill() {
      fills += 1;
      fillNow();
      timer ??= setInterval(fillNow, AGAIN_MS);
    },
    makeRoom() {
      fills = Math.max(0, fills - 1);
      if (fills === 0) stopFilling();
    },
    close() {
      stopFilling();
      spawnSync('umount', ['-l', folder]);
      rmdirSync(folder);
    },
  };
}

/**
 * Moves the wall clock of a running process and of a database inside it, by libfaketime, which reads the offset from a
 * file. The monotonic clock is unchanged, as on a real machine.
 */
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installDebianPackages } from '../../../../tests/support/browser/debian-packages.ts';

export interface MovedClock {
  /** For the process, from its start. */
  env: Readonly<Record<string, string>>;
  /** Offset from this machine's clock. Returns once the process sees it. */
  moveTo(offsetS: number): Promise<void>;
  /** Milliseconds of the moved clock. */
  nowMs(): number;
  close(): void;
}

const LIBRARIES = ['x86_64', 'aarch64'].map((one) => `/usr/lib/${one}-linux-gnu/faketime/libfaketime.so.1`);
/** How long the library caches the file, seconds. */
const CACHED_S = 1;

/** @returns `skipped` with the reason if the library is unavailable */
export function openMovedClock(): MovedClock | { skipped: string } {
  const find = () => LIBRARIES.find((path) => existsSync(path));
  const library = find() ?? (installDebianPackages(['libfaketime']) ? find() : undefined);
  if (library === undefined) return { skipped: 'libfaketime is neither installed nor installable' };
  const folder = mkdtempSync(join(tmpdir(), 'kat-clock-'));
  const file = join(folder, 'offset');
  let offsetS = 0;
  const write = (): void => {
    writeFileSync(`${file}.new`, `${offsetS < 0 ? '-' : '+'}${Math.abs(offsetS)}\n`);
    renameSync(`${file}.new`, file);
  };
  write();
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: String(CACHED_S),
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    async moveTo(next) {
      offsetS = next;
      write();
      await sleep((CACHED_S + 1) * 1000);
    },
    nowMs: () => Date.now() + offsetS * 1000,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

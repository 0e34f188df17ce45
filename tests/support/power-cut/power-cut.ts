/**
 * Cuts the power of a process: its files are recorded while it runs; after its death its database folder becomes what a
 * disk without power would hold. Nothing is needed but Node: no rights, no mounts, no compiler.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { leaveSurvivors } from './disk-model.ts';
import { decodeJournal, type JournalEntry } from './file-journal.ts';

const RECORDER = new URL('./record-files.ts', import.meta.url);

export interface RecordedDisk {
  /** Settings of the process, which starts after this call. */
  env: Readonly<Record<string, string>>;
  /**
   * Once the process is dead. @param endOf  how many entries were before the cut; default: all
   * @returns those entries
   */
  cut(random: () => number, endOf?: (entries: readonly JournalEntry[]) => number): JournalEntry[];
}

export interface RecordedDiskOptions {
  /** The server's DATA_DIR. Only the embedded database in it is recorded; the rest stays as the process left it. */
  dataDir: string;
  /** A planted bug: the log's syncs report success and do nothing. */
  losesSyncs?: boolean;
}

/** What is in the folder now counts as being on the disk. */
export function recordDisk({ dataDir, losesSyncs = false }: RecordedDiskOptions): RecordedDisk {
  const folder = join(dataDir, 'database');
  const before = `${dataDir}.before`;
  const journal = `${dataDir}.journal`;
  mkdirSync(dataDir, { recursive: true });
  rmSync(before, { recursive: true, force: true });
  rmSync(journal, { force: true });
  if (existsSync(folder)) cpSync(folder, before, { recursive: true });
  return {
    env: {
      NODE_OPTIONS: `--import ${RECORDER.href}`,
      RECORDED_FILES: folder,
      FILE_JOURNAL: journal,
      ...(losesSyncs ? { LOSES_SYNCS: '1' } : {}),
    },
    cut(random, endOf = (entries) => entries.length) {
      const all = existsSync(journal) ? decodeJournal(readFileSync(journal)) : [];
      const entries = all.slice(0, endOf(all));
      rmSync(folder, { recursive: true, force: true });
      rmSync(`${folder}.unfinished`, { force: true });
      if (existsSync(before)) renameSync(before, folder);
      rmSync(journal, { force: true });
      mkdirSync(dirname(folder), { recursive: true });
      leaveSurvivors({ entries, random });
      return entries;
    },
  };
}

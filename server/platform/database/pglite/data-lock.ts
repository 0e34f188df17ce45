/**
 * Allows only one process per data folder. PGlite has no lock, and two processes on one folder lose each other's rows.
 * The lock file names the process, its start time (the system soon reuses process ids) and its socket folder.
 */

import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { hasErrorCode } from '../../error-code.ts';

const lockSchema = z.object({
  pid: z.int().check(z.positive()),
  /** As reported by the operating system; null where it can't be queried. */
  startedAt: z.nullable(z.string()),
  socketDir: z.string(),
});
export type LockContent = z.infer<typeof lockSchema>;

export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
  readonly folder: string;
  readonly pid: number;

  constructor(folder: string, pid: number) {
    super(
      `The data folder ${folder} is in use by process ${pid}. Stop that process first, or set DATA_DIR to another folder.`,
    );
    this.folder = folder;
    this.pid = pid;
  }
}

export interface DataLock {
  release(): void;
}

const LOCK_NAME = 'database.lock';
const ATTEMPTS = 5;
/** A server that was just stopped or killed may still be shutting down. */
const WAIT_MS = 5000;
const POLL_MS = 50;

/**
 * @param socketDir the folder to name in the lock; a dead process's folder is removed
 * @throws DataFolderInUse while another living process, or another database of this process, holds the folder
 */
export async function lockDataFolder(
  folder: string,
  socketDir: string,
  options: { waitMs?: number } = {},
): Promise<DataLock> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, LOCK_NAME);
  const own: LockContent = { pid: process.pid, startedAt: startOf(process.pid), socketDir };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (create(path, own)) return { release: () => release(path, own) };
    const text = readText(path);
    if (text === null) continue; // released between the two checks
    const held = parse(text);
    if (held && (await staysAlive(held, options.waitMs ?? WAIT_MS))) throw new DataFolderInUse(folder, held.pid);
    if (readText(path) !== text) continue; // its holder released it on exit
    removeStale(path, text);
    if (held && held.socketDir !== socketDir) removeSocketDir(held.socketDir);
  }
  throw new DataFolderInUse(folder, parse(readText(path) ?? '')?.pid ?? 0);
}

export function holderOf(folder: string): LockContent | null {
  const held = parse(readText(join(folder, LOCK_NAME)) ?? '');
  return held !== null && isAlive(held) ? held : null;
}

/** The lock file appears complete or not at all: it is written under another name, then hard-linked. */
function create(path: string, content: LockContent): boolean {
  const draft = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  writeFileSync(draft, JSON.stringify(content), { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    if (!hasErrorCode(error, 'EPERM') && !hasErrorCode(error, 'ENOTSUP') && !hasErrorCode(error, 'EOPNOTSUPP'))
      throw error;
    return createWithoutLinks(path, content);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** For file systems without hard links. */
function createWithoutLinks(path: string, content: LockContent): boolean {
  try {
    writeFileSync(path, JSON.stringify(content), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Removes a stale lock. If a faster process has replaced it in the meantime, that lock is put back. */
function removeStale(path: string, staleText: string): void {
  const moved = `${path}.stale.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    renameSync(path, moved);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return; // another process took it away
    throw error;
  }
  if (readText(moved) !== staleText) {
    try {
      linkSync(moved, path);
    } catch (error) {
      if (!hasErrorCode(error, 'EEXIST')) throw error;
    }
  }
  rmSync(moved, { force: true });
}

function release(path: string, own: LockContent): void {
  if (readText(path) === JSON.stringify(own)) rmSync(path, { force: true });
}

async function staysAlive(lock: LockContent, waitMs: number): Promise<boolean> {
  const untilMs = performance.now() + (lock.pid === process.pid ? 0 : waitMs);
  while (isAlive(lock)) {
    if (performance.now() >= untilMs) return true;
    await sleep(POLL_MS);
  }
  return false;
}

function isAlive(lock: LockContent): boolean {
  try {
    process.kill(lock.pid, 0);
  } catch (error) {
    if (!hasErrorCode(error, 'EPERM')) return false; // EPERM: it lives, under another user
  }
  if (hasEnded(lock.pid)) return false;
  const startedAt = startOf(lock.pid);
  return lock.startedAt === null || startedAt === null || lock.startedAt === startedAt;
}

/** True for a process not yet reaped. All threads are checked: the first may end before others that still write. */
function hasEnded(pid: number): boolean {
  if (process.platform !== 'linux') return /^[ZX]/.test(runPs(pid, 'stat') ?? '');
  const states = threadsOf(pid).map((thread) => fieldsOf(readText(`/proc/${pid}/task/${thread}/stat`))?.[0]);
  return states.length > 0 && states.every((state) => state === undefined || state === 'Z' || state === 'X');
}

/** Empty if the process has ended or can't be inspected. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ESRCH') || hasErrorCode(error, 'EACCES')) return [];
    throw error;
  }
}

/** The fields of `stat` after the program's name, which may hold spaces: the state, then numbers. */
function fieldsOf(stat: string | null): string[] | null {
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Linux: clock ticks since boot, field 22 of stat. Elsewhere: the output of ps. */
function startOf(pid: number): string | null {
  if (process.platform === 'linux') return fieldsOf(readText(`/proc/${pid}/stat`))?.[19] ?? null;
  return runPs(pid, 'lstart');
}

function runPs(pid: number, what: 'lstart' | 'stat'): string | null {
  try {
    return (
      execFileSync('ps', ['-o', `${what}=`, '-p', String(pid)], { encoding: 'utf8', timeout: 2000 }).trim() || null
    );
  } catch {
    return null; // without ps, only the process id decides
  }
}

/** Removes only folders with the name that we create, whatever the file contains. */
function removeSocketDir(socketDir: string): void {
  if (/\/kat-db-[A-Za-z0-9]+$/.test(socketDir)) rmSync(socketDir, { recursive: true, force: true });
}

/** Null for a file that a power loss cut off: it holds no lock. */
function parse(text: string): LockContent | null {
  return lockSchema.safeParse(parsedJson(text)).data ?? null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ESRCH')) return null;
    throw error;
  }
}

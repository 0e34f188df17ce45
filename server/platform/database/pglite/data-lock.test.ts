import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DataFolderInUse, holderOf, lockDataFolder } from './data-lock.ts';

const MODULE = new URL('./data-lock.ts', import.meta.url).href;

describe('the lock of the data folder', () => {
  let folder: string;
  let child: ChildProcess | null = null;
  const lockPath = () => join(folder, 'database.lock');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kat-lock-test-'));
  });
  afterEach(() => {
    child?.kill('SIGKILL');
    child = null;
    rmSync(folder, { recursive: true, force: true });
  });

  /** Locks the folder from another process. */
  async function holdInAnotherProcess(socketDir: string): Promise<ChildProcess> {
    const script = `import(${JSON.stringify(MODULE)}).then(async (m) => {
      await m.lockDataFolder(${JSON.stringify(folder)}, ${JSON.stringify(socketDir)});
      console.log('held'); setInterval(() => {}, 1000); })`;
    const holder = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    child = holder;
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    return holder;
  }

  test('refuses a second living process, naming folder and process id', async () => {
    const holder = await holdInAnotherProcess('/tmp/kat-db-one');

    const attempt = () => lockDataFolder(folder, '/tmp/kat-db-two', { waitMs: 0 });

    await expect(attempt()).rejects.toThrow(DataFolderInUse);
    await expect(attempt()).rejects.toThrow(`${folder} is in use by process ${holder.pid}`);
  });

  test('takes over a killed process’s lock, and removes only its socket folder', async () => {
    const socketDir = mkdtempSync(join(tmpdir(), 'kat-db-'));
    writeFileSync(join(socketDir, 'db-1.sock'), '');
    const holder = await holdInAnotherProcess(socketDir);
    const ended = new Promise((resolve) => holder.once('exit', resolve));
    holder.kill('SIGKILL');
    await ended;

    const lock = await lockDataFolder(folder, '/tmp/kat-db-two');

    expect(JSON.parse(readFileSync(lockPath(), 'utf8'))).toMatchObject({
      pid: process.pid,
      socketDir: '/tmp/kat-db-two',
    });
    expect(existsSync(socketDir)).toBe(false);
    expect(readdirSync(folder)).toEqual(['database.lock']);
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('takes over the lock of a killed process that its parent never reaps', {
    skip: process.platform !== 'linux',
  }, async () => {
    const script = `import(${JSON.stringify(MODULE)}).then(async (m) => {
      await m.lockDataFolder(${JSON.stringify(folder)}, '/tmp/kat-db-one');
      console.log(process.pid); setInterval(() => {}, 1000); })`;
    // A shell that replaces itself with another program leaves a child that nothing waits for.
    const line = `"$0" -e "$1" & exec sleep 60`;
    const parent = spawn('sh', ['-c', line, process.execPath, script], { stdio: ['ignore', 'pipe', 'inherit'] });
    child = parent;
    const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
    process.kill(pid, 'SIGKILL');

    const lock = await lockDataFolder(folder, '/tmp/kat-db-two');

    expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
    expect(holderOf(folder)?.pid).toBe(process.pid);
    lock.release();
  });

  test('waits for a holder that is about to exit', async () => {
    const holder = await holdInAnotherProcess('/tmp/kat-db-one');
    const attempt = lockDataFolder(folder, '/tmp/kat-db-two');
    holder.kill('SIGKILL');

    (await attempt).release();

    expect(holder.killed).toBe(true);
  });

  test('ignores a process id that now belongs to another process', async () => {
    writeFileSync(lockPath(), JSON.stringify({ pid: process.ppid, startedAt: 'long ago', socketDir: '/tmp/kat-db-x' }));

    const lock = await lockDataFolder(folder, '/tmp/kat-db-two');

    expect(JSON.parse(readFileSync(lockPath(), 'utf8')).pid).toBe(process.pid);
    lock.release();
  });

  test('ignores a lock file truncated by a power loss', async () => {
    writeFileSync(lockPath(), '{"pid":');

    (await lockDataFolder(folder, '/tmp/kat-db-two')).release();

    expect(readdirSync(folder)).toEqual([]);
  });

  test('keeps a folder that the file names but this server never made', async () => {
    const precious = join(folder, 'precious');
    mkdirSync(precious);
    writeFileSync(lockPath(), JSON.stringify({ pid: 2 ** 30, startedAt: null, socketDir: precious }));

    (await lockDataFolder(folder, '/tmp/kat-db-two')).release();

    expect(existsSync(precious)).toBe(true);
  });

  test('refuses the same process a second time until it releases the lock', async () => {
    const lock = await lockDataFolder(folder, '/tmp/kat-db-one');

    await expect(lockDataFolder(folder, '/tmp/kat-db-two')).rejects.toThrow(DataFolderInUse);
    lock.release();
    (await lockDataFolder(folder, '/tmp/kat-db-two')).release();
  });

  test('releases only its own lock', async () => {
    const lock = await lockDataFolder(folder, '/tmp/kat-db-one');
    writeFileSync(lockPath(), '{"pid":1,"startedAt":null,"socketDir":"x"}');

    lock.release();

    expect(existsSync(lockPath())).toBe(true);
  });
});

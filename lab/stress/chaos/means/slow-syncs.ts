/** Slows PostgreSQL's flushes to disk: strace delays each call. Needs strace, and the right to trace. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

export interface SlowSyncs {
  /** Ends the delays. */
  stop(): Promise<void>;
}

/** If strace cannot attach, it fails within this time. */
const ATTACH_MS = 1000;

/**
 * @param pid  of the postmaster; processes that it starts later are delayed too
 * @returns `skipped` with the reason if processes cannot be traced
 */
export async function slowSyncs(pid: number, delayMs: number): Promise<SlowSyncs | { skipped: string }> {
  const children = spawnSync('ps', ['--ppid', String(pid), '-o', 'pid='], { encoding: 'utf8' });
  const pids = [String(pid), ...children.stdout.trim().split(/\s+/)].filter((one) => one !== '');
  const calls = 'fsync,fdatasync';
  const inject = ['-e', `trace=${calls}`, '-e', `inject=${calls}:delay_exit=${delayMs * 1000}`];
  const tracer: ChildProcess = spawn(
    'strace',
    ['-f', '-qq', '-o', '/dev/null', ...inject, ...pids.flatMap((one) => ['-p', one])],
    { stdio: 'ignore' },
  );
  const ended = new Promise<boolean>((resolve) => {
    tracer.once('exit', () => resolve(true));
    tracer.once('error', () => resolve(true));
  });
  if (await Promise.race([ended, sleep(ATTACH_MS, false)]))
    return { skipped: 'strace cannot hold back calls here: it is missing, or may not trace' };
  return {
    async stop() {
      if (tracer.exitCode !== null || tracer.signalCode !== null) return;
      tracer.kill('SIGTERM');
      await once(tracer, 'exit');
    },
  };
}

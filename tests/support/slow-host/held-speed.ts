/**
 * Limits a process to a share of one core: by a control group if this machine allows one, else by stopping and
 * continuing it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childrenOf } from '../run/process-figures.ts';

export interface HeldSpeed {
  /** The method, as text. */
  means: string;
  /** Command prefix of a process that is limited from its start, with all its children. */
  through: readonly string[];
  /** Limits a running process and its children, if `through` did not. */
  hold(pid: number): void;
  /** After the processes have ended, or to let them continue at full speed without a control group. */
  stop(): void;
}

/** Short, so that a limited process runs slowly instead of pausing. */
const PERIOD_US = 10_000;
const ROOT = '/sys/fs/cgroup';
const ENTER = 'echo $$ > "$0/cgroup.procs" && exec "$@"';

/**
 * @param share  of one core, above 0 and up to 1
 * @param nth  number of the process: each has a separate control group
 */
export function holdSpeed(share: number, nth: number): HeldSpeed {
  const name = `kat-load-${process.pid}-${nth}`;
  return secondVersion(share, name) ?? firstVersion(share, name) ?? stopAndGo(share, PERIOD_US / 1000);
}

function secondVersion(share: number, name: string): HeldSpeed | null {
  const controllers = join(ROOT, 'cgroup.controllers');
  if (!existsSync(controllers) || !readFileSync(controllers, 'utf8').split(/\s/).includes('cpu')) return null;
  return controlGroup(join(ROOT, name), 'a control group (v2, cpu.max)', (folder) => {
    writeFileSync(join(ROOT, 'cgroup.subtree_control'), '+cpu');
    writeFileSync(join(folder, 'cpu.max'), `${Math.round(share * PERIOD_US)} ${PERIOD_US}`);
  });
}

function firstVersion(share: number, name: string): HeldSpeed | null {
  const parent = join(ROOT, 'cpu');
  if (!existsSync(join(parent, 'cpu.cfs_quota_us'))) return null;
  return controlGroup(join(parent, name), 'a control group (v1, cpu.cfs_quota_us)', (folder) => {
    writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD_US));
    writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(Math.round(share * PERIOD_US)));
  });
}

function controlGroup(folder: string, means: string, limit: (folder: string) => void): HeldSpeed | null {
  const remove = (): void => {
    try {
      rmdirSync(folder);
    } catch {
      // Never created, or a process in it is still exiting: an empty group costs nothing.
    }
  };
  try {
    mkdirSync(folder);
    limit(folder);
  } catch {
    remove();
    return null;
  }
  const hold = (pid: number): void => {
    for (const one of [pid, ...childrenOf(pid)]) writeFileSync(join(folder, 'cgroup.procs'), String(one));
  };
  return { means, through: ['sh', '-c', ENTER, folder], hold, stop: remove };
}

/** @param share  of each period in which the process runs */
export function stopAndGo(share: number, periodMs: number): HeldSpeed {
  const children: ChildProcess[] = [];
  const pids: number[] = [];
  return {
    means: `SIGSTOP and SIGCONT, a period of ${periodMs} ms`,
    through: [],
    hold(pid) {
      pids.push(pid);
      const args = [String(pid), String(share), String(periodMs)];
      children.push(fork(join(import.meta.dirname, 'stop-and-go.ts'), args));
    },
    stop() {
      for (const child of children) child.kill('SIGKILL');
      for (const pid of pids.flatMap((one) => [one, ...childrenOf(one)])) continueProcess(pid);
    },
  };
}

function continueProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It has ended.
  }
}

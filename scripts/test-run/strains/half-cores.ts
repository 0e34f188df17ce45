/** Holds every process of a test run to half a core: each gets its own control group. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { descendantsOf, listProcesses } from './child-processes.ts';

const PERIOD_US = 100_000;
const QUOTA_US = PERIOD_US / 2;
const TICK_MS = 250;

/** Version 1 has a folder of the processor's groups, version 2 one of all. */
const ROOTS = [
  { folder: '/sys/fs/cgroup/cpu', limits: { 'cpu.cfs_period_us': `${PERIOD_US}`, 'cpu.cfs_quota_us': `${QUOTA_US}` } },
  { folder: '/sys/fs/cgroup', limits: { 'cpu.max': `${QUOTA_US} ${PERIOD_US}` } },
] as const;

/** @returns ends it and removes the groups; null if this user may create none */
export function holdToHalfCores(): (() => void) | null {
  const root = ROOTS.find(({ folder }) => existsSync(join(folder, 'cgroup.procs')));
  if (root === undefined) return null;
  const groups = new Map<number, string>();
  const groupOf = (pid: number): string => join(root.folder, `kat-half-${process.pid}-${pid}`);
  const hold = (pid: number): void => {
    const group = groupOf(pid);
    mkdirSync(group);
    groups.set(pid, group);
    for (const [file, value] of Object.entries(root.limits)) writeFileSync(join(group, file), value);
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
  };
  try {
    if (root.folder === '/sys/fs/cgroup') writeFileSync(join(root.folder, 'cgroup.subtree_control'), '+cpu');
    // An empty group shows whether this user may create them.
    mkdirSync(groupOf(0));
    groups.set(0, groupOf(0));
    for (const [file, value] of Object.entries(root.limits)) writeFileSync(join(groupOf(0), file), value);
  } catch {
    remove(groups);
    return null;
  }
  const tick = (): void => {
    const pids = descendantsOf(listProcesses(), process.pid).map(({ pid }) => pid);
    for (const pid of pids) {
      if (groups.has(pid)) continue;
      try {
        hold(pid);
      } catch {
        // It has ended, or it ends before it is moved.
      }
    }
    const running = new Set(pids);
    remove(groups, (pid) => pid !== 0 && !running.has(pid));
  };
  const timer = setInterval(tick, TICK_MS);
  return () => {
    clearInterval(timer);
    for (const group of groups.values()) release(group, root.folder);
    remove(groups);
  };
}

/** A process that outlives the round runs at full speed again. */
function release(group: string, folder: string): void {
  try {
    for (const pid of readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean))
      writeFileSync(join(folder, 'cgroup.procs'), pid);
  } catch {
    // It has ended meanwhile.
  }
}

function remove(groups: Map<number, string>, isOver: (pid: number) => boolean = () => true): void {
  for (const [pid, group] of groups) {
    if (!isOver(pid)) continue;
    try {
      rmdirSync(group);
      groups.delete(pid);
    } catch {
      // A child that it started is still in it: the next round of checks moves that one first.
    }
  }
}

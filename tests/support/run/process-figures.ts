/** Kernel figures of a process: processor time, resident memory, connections. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Length of a clock tick; 100 a second on every Linux that Node runs on. */
const TICK_MS = 10;
const ESTABLISHED = '01';

/** User and system time of all threads, milliseconds. */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The same for a process and all its children, ended or running. */
export function withChildrenMs(pid: number): number {
  const own = statOf(pid);
  const ticks = [own, ...childrenOf(pid).map(statOf)].map(
    (fields) => Number(fields[11] ?? 0) + Number(fields[12] ?? 0),
  );
  const ended = Number(own[13] ?? 0) + Number(own[14] ?? 0);
  return (ended + ticks.reduce((sum, one) => sum + one, 0)) * TICK_MS;
}

/** Running processes that a process started directly. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(Number(name))[1] === String(pid))
    .map(Number);
}

/** The fields from the state on; empty if the process has ended. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  } catch {
    return [];
  }
}

/** Time that all processes and the system used since the machine started, on all cores. */
export function machineProcessorMs(): number {
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  )
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + interrupts + softInterrupts) * TICK_MS;
}

export function residentMib(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? Number.NaN) / 1024;
}

/** Open TCP connections (IPv4) from others to a port that a process listens on. */
export function connectionsAt(pid: number, port: number): number {
  return establishedOf(pid).filter(({ local }) => local === port).length;
}

/** Open file descriptors of a process: files, sockets, pipes. */
export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function establishedOf(pid: number): { local: number; remote: number }[] {
  const inodes = new Set(socketInodes(pid));
  const portIn = (address: string): number => Number.parseInt(address.split(':')[1] ?? '', 16);
  const lines = readFileSync(`/proc/${pid}/net/tcp`, 'utf8').trim().split('\n').slice(1);
  return lines.flatMap((line) => {
    const [, local = '', remote = '', state, , , , , , inode = ''] = line.trim().split(/\s+/);
    if (state !== ESTABLISHED || !inodes.has(inode)) return [];
    return [{ local: portIn(local), remote: portIn(remote) }];
  });
}

function socketInodes(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${name}`))?.[1] ?? [];
    } catch {
      // Closed since the folder was read.
      return [];
    }
  });
}

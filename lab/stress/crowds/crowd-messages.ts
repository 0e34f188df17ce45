/** Messages between the load's processes. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { StageWork } from '../overload/client/work-counts.ts';
import type { TimeFigures } from './time-counts.ts';

/** What one crowd counted since its last report. */
export interface CrowdFigures {
  times: Record<string, TimeFigures>;
  counts: Record<string, number>;
  /** Failures by message. */
  failures: Record<string, number>;
  /** Only from a crowd with manners (overload/client/manners.ts): by kind of work and stage, since the crowd began. */
  work?: Record<string, StageWork>;
  /** Only from such a crowd: answers that refused before any work, by class. */
  refused?: Record<string, number>;
}

export interface Crowd {
  pid: number;
  /** Resolves once every client is connected, or has begun. */
  ready: Promise<unknown>;
  /** Requests the figures since the last request. */
  figures(): Promise<CrowdFigures>;
  /** Sets other rates from now on, for crowds whose options name them. */
  change(rates: object): void;
  stop(): void;
}

/**
 * Starts a file of this folder in a separate process.
 *
 * @param options  its first message
 * @param cores  such as `1`; null: all
 */
export function startCrowd(file: string, options: unknown, cores: string | null): Crowd {
  const script = join(import.meta.dirname, file);
  const child: ChildProcess = fork(script, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ...(cores === null ? {} : { execPath: 'taskset', execArgv: ['-c', cores, process.execPath] }),
  });
  child.send(options ?? {});
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${code}`);
  });
  // `ended` is awaited elsewhere, which handles the error.
  ended.catch(() => undefined);
  const message = (): Promise<unknown> => Promise.race([once(child, 'message').then(([message]) => message), ended]);
  return {
    pid: child.pid ?? 0,
    ready: message(),
    figures() {
      const answer = message() as Promise<CrowdFigures>;
      child.send('figures');
      return answer;
    },
    change: (rates) => child.send({ rates }),
    stop: () => child.kill('SIGKILL'),
  };
}

/** In the crowd's process: the options it was started with. */
export async function crowdOptions<T>(): Promise<T> {
  const [options] = await once(process, 'message');
  return options as T;
}

/**
 * In the crowd's process: answers each request for figures.
 *
 * @param change  receives the rates that the parent sets while the crowd runs
 */
export function answerFigures<Rates>(figures: () => CrowdFigures, change?: (rates: Rates) => void): void {
  process.on('message', (message: 'figures' | { rates: Rates }) => {
    if (message === 'figures') process.send?.(figures());
    else change?.(message.rates);
  });
  process.once('disconnect', () => process.exit(0));
}

/** Counts by message. */
export function tally(): { add(what: string): void; take(): Record<string, number> } {
  const counts = new Map<string, number>();
  return {
    add: (what) => counts.set(what, (counts.get(what) ?? 0) + 1),
    take() {
      const taken = Object.fromEntries(counts);
      counts.clear();
      return taken;
    },
  };
}

/** Address of the nth client: groups share one address, as people in an office do. */
export function addressOfClient(nth: number): string {
  const office = Math.floor(nth / 50);
  return `10.${(office >> 16) & 255}.${(office >> 8) & 255}.${office & 255}`;
}

/** Address of the nth client at home. */
export function addressOfHome(nth: number): string {
  return `100.${64 + ((nth >> 16) & 63)}.${(nth >> 8) & 255}.${nth & 255}`;
}

/** What the load's own processes say to each other. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { StageWork } from '../overload/client/work-counts.ts';
import type { TimeFigures } from './time-counts.ts';

/** What one crowd counted since it was asked last. */
export interface CrowdFigures {
  times: Record<string, TimeFigures>;
  counts: Record<string, number>;
  /** What went wrong, by its words. */
  failures: Record<string, number>;
  /** Of a crowd with manners alone (overload/client/manners.ts): by kind of work and stage, since the crowd began. */
  work?: Record<string, StageWork>;
  /** Of such a crowd: answers that refused before any work, by their class. */
  refused?: Record<string, number>;
}

export interface Crowd {
  pid: number;
  /** Everything is connected, or begun. */
  ready: Promise<unknown>;
  /** Asks for the figures since the last time. */
  figures(): Promise<CrowdFigures>;
  /** Sets other rates from now on; of the crowds whose options name them. */
  change(rates: object): void;
  stop(): void;
}

/**
 * Starts a file of this folder in a process of its own.
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
  // Heard where it is waited for.
  ended.catch(() => undefined);
  const message = (): Promise<unknown> => Promise.race([once(child, 'message').then(([said]) => said), ended]);
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

/** The crowd's side: what it was started with. */
export async function crowdOptions<T>(): Promise<T> {
  const [options] = await once(process, 'message');
  return options as T;
}

/**
 * The crowd's side: answers each question.
 *
 * @param change  takes the rates that the parent sets while the crowd is at work
 */
export function answerFigures<Rates>(figures: () => CrowdFigures, change?: (rates: Rates) => void): void {
  process.on('message', (message: 'figures' | { rates: Rates }) => {
    if (message === 'figures') process.send?.(figures());
    else change?.(message.rates);
  });
  process.once('disconnect', () => process.exit(0));
}

/** Counts by words. */
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

/** Of the nth client: so many come from one address as sit in one office. */
export function addressOfClient(nth: number): string {
  const office = Math.floor(nth / 50);
  return `10.${(office >> 16) & 255}.${(office >> 8) & 255}.${office & 255}`;
}

/** Of the nth who comes from home. */
export function addressOfHome(nth: number): string {
  return `100.${64 + ((nth >> 16) & 63)}.${(nth >> 8) & 255}.${nth & 255}`;
}

/** Starts an external service in a separate process, kills or pauses it, and restarts it at the same address. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { OutsideSettings } from './outside-process.ts';

export interface Outside {
  kill(): Promise<void>;
  /** On the same port, with the same data. */
  startAgain(): Promise<void>;
  /** SIGSTOP or SIGCONT: a stopped process keeps its connections and answers nothing. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
}

/** @throws Error if it exits before it listens */
export async function startOutside(settings: OutsideSettings): Promise<Outside> {
  async function start(): Promise<ChildProcess> {
    const args = [join(import.meta.dirname, 'outside-process.ts'), JSON.stringify(settings)];
    const child = spawn(process.execPath, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`the ${settings.kind} sandbox ended before it listened`);
    });
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    return child;
  }
  let child = await start();
  return {
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    async startAgain() {
      child = await start();
    },
    signal: (name) => void child.kill(name),
  };
}

/** Starts a part of the outside world in a process of its own, kills it, and starts it again where it was. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { OutsideSettings } from './outside-process.ts';

export interface Outside {
  kill(): Promise<void>;
  /** On the same port, with the same books. */
  startAgain(): Promise<void>;
}

/**
 * @param through  a command that becomes the one told after it
 * @throws Error when it ends before it listens
 */
export async function startOutside(settings: OutsideSettings, through: readonly string[] = []): Promise<Outside> {
  const [command = '', ...before] = [...through, process.execPath];
  async function start(): Promise<ChildProcess> {
    const args = [...before, join(import.meta.dirname, 'outside-process.ts'), JSON.stringify(settings)];
    const child = spawn(command, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
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
  };
}

/** A temporary NATS server for a test file: on loopback, on a separate port, removed afterwards. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { installDebianPackages } from '../browser/debian-packages.ts';
import { WAIT_MS } from '../run/wait-limit.ts';
import { freePort } from './free-port.ts';

export interface ThrowawayNats {
  /** Address with its token. */
  url: string;
  token: string;
  port: number;
  /** Kills it, as a power cut does. */
  kill(): Promise<void>;
  /** On the same port. */
  startAgain(): Promise<void>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  stop(): Promise<void>;
}

const DEBIAN_BINARY = '/usr/sbin/nats-server';

/** Empty if NATS can be started, else why the tests are skipped. */
export const NATS_SKIPPED = findNats() === null ? 'skipped: nats-server is neither installed nor installable' : '';

export async function startThrowawayNats(address = '127.0.0.1'): Promise<ThrowawayNats> {
  const binary = findNats();
  if (binary === null) throw new Error(NATS_SKIPPED);
  const port = await freePort();
  const token = randomBytes(16).toString('hex');
  let child: ChildProcess;

  async function start(): Promise<void> {
    const args = ['--addr', address, '--port', String(port), '--auth', token];
    child = spawn(binary ?? '', args, { stdio: 'ignore' });
    await untilReached({ port, host: address }, child);
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  await start();
  process.once('exit', () => child.kill('SIGKILL'));
  return {
    url: `nats://${token}@${address}:${port}`,
    token,
    port,
    kill: () => end('SIGKILL'),
    startAgain: start,
    signal: (name) => void child.kill(name),
    stop: () => end('SIGTERM'),
  };
}

function findNats(): string | null {
  const find = (): string | null => {
    if (existsSync(DEBIAN_BINARY)) return DEBIAN_BINARY;
    const which = spawnSync('sh', ['-c', 'command -v nats-server'], { encoding: 'utf8' }).stdout.trim();
    return which === '' ? null : which;
  };
  return find() ?? (installDebianPackages(['nats-server']) ? find() : null);
}

async function untilReached(at: { port: number; host: string }, child: ChildProcess): Promise<void> {
  const endsMs = Date.now() + WAIT_MS;
  while (Date.now() < endsMs && child.exitCode === null) {
    const socket = connect(at);
    const isOpen = await new Promise<boolean>((settle) => {
      socket.once('connect', () => settle(true)).once('error', () => settle(false));
    });
    socket.destroy();
    if (isOpen) return;
    await sleep(25);
  }
  throw new Error('nats-server did not start');
}

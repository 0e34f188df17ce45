/** The whole product in one process, as an operator runs it behind a balancer, on the named cores. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';

export interface NodeUnderLoad {
  url: string;
  pid: number;
  /** Its log: warnings and errors only. */
  output(): string;
  stop(): Promise<void>;
}

const ROOT = resolve(import.meta.dirname, '../..');
const READY = /(http:\/\/127\.0\.0\.1:\d+)/;

export async function startNode(options: {
  dataDir: string;
  /** Such as `0` or `0,1`; null: all. */
  cores: string | null;
  env: Readonly<Record<string, string>>;
  /** A command prefix that runs the server in its own place. */
  through?: readonly string[];
  /** Checkout of the server, installed; default: this one. */
  root?: string;
}): Promise<NodeUnderLoad> {
  const { dataDir, cores, env, through = [], root = ROOT } = options;
  const command = [
    ...through,
    ...(cores === null ? [] : ['taskset', '-c', cores]),
    join(root, 'node_modules/.bin/node'),
    join(root, 'scripts/start.ts'),
  ];
  const child = spawn(command[0] ?? '', command.slice(1), {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      PORT: '0',
      DATA_DIR: dataDir,
      // A trusted proxy header names the client; ten thousand clients from one address would be refused.
      TRUSTED_PROXIES: '1',
      LOG_LEVEL: 'warn',
      DEVELOPMENT: 'community=sandbox',
      PAYMENTS: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const { promise, resolve: found } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      const url = READY.exec(text)?.[1];
      if (url !== undefined) found(url);
    });
  }
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the server ended:\n${text.slice(-2000)}`);
  });
  ended.catch(() => undefined);
  return {
    url: await Promise.race([promise, ended]),
    pid: child.pid ?? 0,
    output: () => text,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}

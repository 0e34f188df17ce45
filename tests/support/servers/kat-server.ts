/** The whole product as a user starts it: one process, a separate data folder, the sandbox market, a free port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { HANG_MS } from '../run/wait-limit.ts';
import { fillDataFolder } from './filled-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const READY = /(http:\/\/(?:127\.0\.0\.1|0\.0\.0\.0):\d+)/;
/** Ends a start that hangs; it measures nothing. */
const START_TIMEOUT_MS = HANG_MS;

export interface KatServer {
  url: string;
  pid: number;
  dataDir: string;
  output(): string;
  /** Requests a stop and waits. @returns the exit code */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Removes the data folder too. */
  dispose(): Promise<void>;
}

export interface KatOptions {
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Default: a new folder. Pass an earlier server's to reuse its data. */
  dataDir?: string;
  /** Of Node. Default: those for short-lived servers of tests. */
  flags?: readonly string[];
  /** A command that runs the server in its own place (`ip netns exec name`). */
  through?: readonly string[];
}

export async function startKat(options: KatOptions = {}): Promise<KatServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'kat-data-'));
  if (options.dataDir === undefined) fillDataFolder(dataDir, options.args ?? []);
  const process = launch({ ...options, dataDir });
  const url = await Promise.race([addressOf(process), exited(process)]);
  if (url === null) throw new Error(`the server ended before it was ready:\n${process.output()}`);
  const server: KatServer = {
    url,
    pid: process.child.pid ?? 0,
    dataDir,
    output: process.output,
    stop: (signal = 'SIGINT') => process.stop(signal),
    async dispose() {
      await process.stop('SIGINT');
      running.delete(server);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  running.add(server);
  return server;
}

const running = new Set<KatServer>();

/** @returns what this process's running servers have written */
export const serverLogs = (): { url: string; log: string }[] =>
  [...running].map(({ url, output }) => ({ url, log: output() }));

export interface FailedStart {
  /** null: it was killed. */
  code: number | null;
  output: string;
}

export interface FailingOptions extends KatOptions {
  dataDir: string;
  /** It is killed then. */
  limitMs?: number;
}

/** Starts a server that is expected to refuse, and waits for its exit. */
export function startAndFail(options: FailingOptions): Promise<FailedStart> {
  return beginFailingStart(options).ended;
}

/** The same, without waiting. Killing it resolves when it has ended. */
export function beginFailingStart(options: FailingOptions): { ended: Promise<FailedStart>; kill(): Promise<void> } {
  const process = launch(options);
  const kill = (): void => void process.child.kill('SIGKILL');
  const timer = setTimeout(kill, options.limitMs ?? START_TIMEOUT_MS);
  const ended = exited(process).then(() => {
    clearTimeout(timer);
    return { code: process.child.exitCode, output: process.output() };
  });
  return {
    ended,
    async kill() {
      kill();
      await ended;
    },
  };
}

interface Launched {
  child: ChildProcess;
  output: () => string;
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

/** Flags of V8: optimising PGlite takes longer than most test servers live, and no processor is idle during tests. */
export const NODE_FLAGS: readonly string[] = ['--liftoff-only', '--single-threaded-gc'];

/** This run's compile cache: a start that reads it needs a quarter less computing. */
export function compiledBefore(): Record<string, string> {
  const folder = process.env.NODE_COMPILE_CACHE;
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}

/** Environment variable with the folder of the run's built site (prepared-folders.ts). */
export const BUILT_SITE = 'KAT_BUILT_SITE';

/** Once the site is built, no start reads all sources to find out whether it is stale. */
function builtBefore(): Record<string, string> {
  const folder = process.env[BUILT_SITE];
  return folder === undefined ? {} : { SITE_DIR: folder };
}

/** Read by scripts/test-run/moved-clock.c. */
export const MOVED_CLOCK_S = 'MOVED_CLOCK_S';
/** Clock, zone and language that `npm test -- repeat` sets for every process. */
const SURROUNDINGS = ['TZ', 'LANG', 'LC_ALL', 'LD_PRELOAD', MOVED_CLOCK_S];

function surroundings(): Record<string, string> {
  return Object.fromEntries(
    SURROUNDINGS.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function launch(options: KatOptions & { dataDir: string }): Launched {
  const args = [...(options.flags ?? NODE_FLAGS), join(ROOT, 'scripts/start.ts'), ...(options.args ?? [])];
  const [command = '', ...before] = [...(options.through ?? []), join(ROOT, 'node_modules/.bin/node')];
  const child = spawn(command, [...before, ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      PORT: '0',
      MARKET: 'sandbox',
      LOG_LEVEL: 'warn',
      // House forecasts, a dozen every few minutes, run only in tests that need them.
      HOUSE_FORECASTS: 'off',
      // The browser and its tests take the processors, so a server that sheds load would fail tests of something else.
      DEVELOPMENT: 'patient',
      // Its data lasts as long as the test.
      DURABLE: 'off',
      DATA_DIR: options.dataDir,
      ...compiledBefore(),
      ...builtBefore(),
      ...surroundings(),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
  }
  return {
    child,
    output: () => text,
    async stop(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await once(child, 'exit');
      }
      return child.exitCode;
    },
  };
}

async function addressOf(launched: Launched): Promise<string> {
  const endsMs = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < endsMs) {
    const address = READY.exec(launched.output())?.[1];
    if (address !== undefined) return address;
    await new Promise((wake) => setTimeout(wake, 50));
  }
  launched.child.kill('SIGKILL');
  throw new Error(`the server was not ready in time:\n${launched.output()}`);
}

async function exited(launched: Launched): Promise<null> {
  if (launched.child.exitCode === null) await once(launched.child, 'exit');
  return null;
}

/**
 * Tests `npm start` and `npm run dev` as users run them: npm, a launcher, the server. However its parents end, the
 * server shuts down cleanly.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isNight } from '../support/run/test-size.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { fillDataFolder } from '../support/servers/filled-folder.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const START_MS = 4 * WAIT_MS;

let dataDir: string;
let npm: ChildProcess;
let output: string;
const lockPath = () => join(dataDir, 'database.lock');

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'kat-launched-'));
  fillDataFolder(dataDir, []);
  output = '';
});

async function launch(command: 'start' | 'dev'): Promise<void> {
  const { PATH = '', HOME = '' } = process.env;
  const env = {
    PATH,
    HOME,
    PORT: '0',
    MARKET: 'sandbox',
    HOUSE_FORECASTS: 'off',
    LOG_LEVEL: 'warn',
    DATA_DIR: dataDir,
  };
  npm = spawn('npm', ['run', command], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [npm.stdout, npm.stderr]) {
    stream?.on('data', (part: Buffer) => {
      output += part.toString('utf8');
    });
  }
  await vi.waitFor(() => expect(output).toContain('Kat is ready'), { timeout: START_MS, interval: 100 });
}

afterEach(() => {
  // Kills a server that a failing test left behind.
  if (existsSync(lockPath())) process.kill(serverPid(), 'SIGKILL');
  npm.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

const serverPid = () => Number(JSON.parse(readFileSync(lockPath(), 'utf8')).pid);

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Its children are the server or, for `dev`, the programs that restart it. */
function launcherOf(pid: number): number {
  const isLauncher = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('scripts/launch.mjs');
  return isLauncher ? pid : launcherOf(parentOf(pid));
}

/** Each case needs a whole start, so the daytime run has one signal that can be handled and one that cannot. */
const AT_NIGHT = [
  ['start', 'npm', 'SIGINT'],
  ['start', 'npm', 'SIGHUP'],
  ['start', 'npm', 'SIGKILL'],
  ['dev', 'npm', 'SIGINT'],
  ['dev', 'launcher', 'SIGKILL'],
] as const;

test
  .runIf(process.platform === 'linux')
  .each([['start', 'npm', 'SIGTERM'], ['start', 'launcher', 'SIGKILL'], ...(isNight ? AT_NIGHT : [])] as const)(
  'shuts the server of `npm run %s` down cleanly after only %s got %s',
  async (command, parent, signal) => {
    await launch(command);
    const server = serverPid();
    const launcher = launcherOf(server);
    const closed = once(npm, 'close');

    process.kill(parent === 'npm' ? (npm.pid ?? 0) : launcher, signal);

    // A server that shuts down cleanly releases its data folder.
    await vi.waitFor(() => expect(existsSync(lockPath())).toBe(false), { interval: 50 });
    // The output closes when the last process ends.
    await closed;
    expect(output).toContain('Stopping ...');
  },
);

/**
 * Tests `npm start` as users run it: npm, a launcher, the server. However its parents end, the server shuts down
 * cleanly.
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

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'kat-launched-'));
  fillDataFolder(dataDir, []);
  output = '';
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
  npm = spawn('npm', ['start'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [npm.stdout, npm.stderr]) {
    stream?.on('data', (part: Buffer) => {
      output += part.toString('utf8');
    });
  }
  await vi.waitFor(() => expect(output).toContain('Kat is ready'), { timeout: START_MS, interval: 100 });
});

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

/** Each case needs a whole start, so the daytime run has one signal that can be handled and one that cannot. */
const AT_NIGHT = [
  ['npm', 'SIGINT'],
  ['npm', 'SIGHUP'],
  ['npm', 'SIGKILL'],
] as const;

test
  .runIf(process.platform === 'linux')
  .each([['npm', 'SIGTERM'], ['launcher', 'SIGKILL'], ...(isNight ? AT_NIGHT : [])] as const)(
  'shuts the server down cleanly after only %s got %s',
  async (parent, signal) => {
    const server = serverPid();
    const launcher = parentOf(server);
    const closed = once(npm, 'close');

    process.kill(parent === 'npm' ? (npm.pid ?? 0) : launcher, signal);

    // A server that shuts down cleanly releases its data folder.
    await vi.waitFor(() => expect(existsSync(lockPath())).toBe(false), { interval: 50 });
    // The output closes when the last of the three processes ends.
    await closed;
    expect(output).toContain('Stopping ...');
  },
);

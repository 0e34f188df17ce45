/** Tests that a test run leaves no PostgreSQL behind, whatever ends it. Each run starts a server that only it uses. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { POSTGRES_SKIPPED, testDatabaseKinds } from '../support/database/database.ts';

const HAS_POSTGRES = testDatabaseKinds().includes('postgres');
const SUPPORT = resolve(import.meta.dirname, '../support/database/throwaway-postgres.ts');
const RUN = `
  const { startThrowawayPostgres } = await import(${JSON.stringify(SUPPORT)});
  const postgres = await startThrowawayPostgres({ parentFolder: process.argv[1] });
  console.log('port ' + new URL(postgres.url).port);
  setInterval(() => undefined, 1000);
`;

let parent: string;
let run: ChildProcess;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'kat-killed-run-'));
  chmodSync(parent, 0o755);
  // It leads a process group, as a command in a terminal does.
  run = spawn(process.execPath, ['--input-type=module', '-e', RUN, parent], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
});

afterEach(() => {
  run.kill('SIGKILL');
  rmSync(parent, { recursive: true, force: true });
});

async function portOfItsServer(): Promise<number> {
  let output = '';
  run.stdout?.on('data', (part: Buffer) => {
    output += part.toString('utf8');
  });
  return vi.waitFor(() => Number(/port (\d+)/.exec(output)?.[1] ?? expect.fail('not started')), { interval: 25 });
}

const answers = (port: number): Promise<boolean> =>
  new Promise((settle) => {
    const socket = connect(port, '127.0.0.1', () => settle(true)).on('error', () => settle(false));
    socket.on('connect', () => socket.destroy());
  });

describe.skipIf(!HAS_POSTGRES)(`a server of a test run${HAS_POSTGRES ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  test.each([
    ['the run is killed', (pid: number) => process.kill(pid, 'SIGKILL')],
    ['its terminal is closed', (pid: number) => process.kill(-pid, 'SIGHUP')],
  ])('stops and leaves no file when %s', async (_when, end) => {
    const port = await portOfItsServer();
    expect(await answers(port)).toBe(true);

    end(run.pid ?? expect.fail('no process'));

    await once(run, 'exit');
    await vi.waitFor(() => expect(readdirSync(parent)).toEqual([]), { interval: 25 });
    expect(await answers(port)).toBe(false);
  });
});

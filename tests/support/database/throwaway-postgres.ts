/** A temporary PostgreSQL server for a test run: new, on loopback, removed afterwards. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { WAIT_MS } from '../run/wait-limit.ts';
import { freePort } from '../servers/free-port.ts';

export interface ThrowawayPostgres {
  /** Address that logs in as a superuser. */
  url: string;
  /** Whether the files of supabase/tests can run there. */
  hasPgtap: boolean;
  /** Kills all its processes together by SIGKILL, so that none closes its connections. The page cache survives. */
  kill(): Promise<void>;
  /** After `kill`: on the same folder and port. @throws Error if it does not start again */
  startAgain(): Promise<void>;
  /** Process id of the currently running postmaster. */
  pid(): number;
  /** Stops or continues all its processes: they keep their connections and answer nothing. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  log(): string;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Committed data survives a crash, as in production. Default: false, which is faster. */
  isDurable?: boolean;
  /** Where its folder is created, readable by everyone. Default: the system's temporary folder. */
  parentFolder?: string;
  /** An address of this machine, in a network that may log in by password. Default: loopback. */
  address?: string;
  /** Environment of its processes, added to this one's: another clock or zone. */
  env?: Readonly<Record<string, string>>;
}

interface Account {
  uid: number;
  gid: number;
}

const DEBIAN_ROOT = '/usr/lib/postgresql';
const OLDEST_MAJOR = 15;
const LOOPBACK = '127.0.0.1';

/** @returns `skipped` with the reason if none can be started: no server, no account to run it under */
export async function startThrowawayPostgres(
  options: PostgresOptions = {},
): Promise<ThrowawayPostgres | { skipped: string }> {
  const found = findBinaries();
  if ('skipped' in found) return found;
  const account = process.getuid?.() === 0 ? accountOf('postgres') : null;
  if (process.getuid?.() === 0 && !account)
    return { skipped: 'PostgreSQL refuses to run as root and there is no user postgres' };

  const folder = mkdtempSync(join(options.parentFolder ?? tmpdir(), 'kat-postgres-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const password = randomBytes(16).toString('hex');
    writeFileSync(join(folder, 'password'), password);
    if (account) for (const path of [folder, join(folder, 'password')]) chownSync(path, account.uid, account.gid);
    initialise(found.bin, folder, account);
    const { address = LOOPBACK } = options;
    if (address !== LOOPBACK) appendFileSync(join(folder, 'data/pg_hba.conf'), 'host all all samenet scram-sha-256\n');
    const port = await freePort();
    const startHere = async (): Promise<ChildProcess> => {
      const logBegins = existsSync(logPath(folder)) ? readFileSync(logPath(folder), 'utf8').length : 0;
      const how = { folder, port, address, isDurable: options.isDurable === true, env: options.env ?? {} };
      const started = start(found.bin, how, account);
      await untilReady(started, folder, logBegins);
      return started;
    };
    let server = await startHere();
    const guard = guardServer(folder);
    return {
      url: `postgres://postgres:${password}@${address}:${port}/postgres`,
      hasPgtap: hasPgtap(found.bin),
      kill: () => killServer(server),
      pid: () => server.pid ?? 0,
      signal(name) {
        server.kill(name);
        for (const pid of childrenOf(server)) sendSignal(pid, name);
      },
      log: () => readFileSync(logPath(folder), 'utf8'),
      async startAgain() {
        server = await startHere();
      },
      async stop() {
        await stopServer(server);
        remove();
        guard.end();
      },
    };
  } catch (error) {
    remove();
    return { skipped: `PostgreSQL did not start: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/**
 * What the guard runs: its input ends with the process that started it. The process id may belong to another program by
 * then, and a server that no one waits for stays in the list of processes without its arguments.
 */
const GUARD = `cat
pid=$(head -n 1 "$0/data/postmaster.pid")
runs() { ps -o args= -p "$pid" | grep -qF "$0"; }
runs && kill -QUIT "$pid"
while runs; do sleep 0.1; done
rm -rf "$0"`;

/**
 * Ends the server and removes its folder as soon as this process has ended, whatever ended it. Signals for this
 * process's group or terminal don't reach the guard.
 * @returns its input; the guard ends with it
 */
function guardServer(folder: string): Writable {
  const guard = spawn('sh', ['-c', GUARD, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  guard.unref();
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  return guard.stdin;
}

function findBinaries(): { bin: string } | { skipped: string } {
  const debian = existsSync(DEBIAN_ROOT)
    ? readdirSync(DEBIAN_ROOT).map((major) => join(DEBIAN_ROOT, major, 'bin'))
    : [];
  const which = spawnSync('sh', ['-c', 'command -v postgres'], { encoding: 'utf8' }).stdout.trim();
  const bins = [...debian, ...(which === '' ? [] : [dirname(which)])].filter((bin) =>
    existsSync(join(bin, 'postgres')),
  );
  if (bins.length === 0) return { skipped: 'no PostgreSQL server is installed' };
  const recent = bins.filter((bin) => majorOf(bin) >= OLDEST_MAJOR).sort((a, b) => majorOf(b) - majorOf(a));
  const best = recent.find(hasPgtap) ?? recent[0];
  return best === undefined ? { skipped: `PostgreSQL is older than ${OLDEST_MAJOR}` } : { bin: best };
}

function majorOf(bin: string): number {
  const output = spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout;
  return Number(/(\d+)/.exec(output)?.[1] ?? 0);
}

function hasPgtap(bin: string): boolean {
  const major = /postgresql\/(\d+)\/bin$/.exec(bin)?.[1];
  const config = spawnSync(join(bin, 'pg_config'), ['--sharedir'], { encoding: 'utf8' });
  const shareDirs = [config.stdout?.trim() ?? '', `/usr/share/postgresql/${major}`];
  return shareDirs.some((dir) => dir !== '' && existsSync(join(dir, 'extension', 'pgtap.control')));
}

function accountOf(name: string): Account | null {
  const ids = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
  if (ids.some((id) => id.status !== 0)) return null;
  const [uid, gid] = ids.map((id) => Number(id.stdout));
  return uid === undefined || gid === undefined ? null : { uid, gid };
}

function initialise(bin: string, folder: string, account: Account | null): void {
  const options = ['-D', join(folder, 'data'), '-U', 'postgres', '--locale=C', '--encoding=UTF8', '--no-sync'];
  const login = ['--auth=scram-sha-256', `--pwfile=${join(folder, 'password')}`];
  execFileSync(join(bin, 'initdb'), [...options, ...login], { cwd: folder, stdio: 'pipe', ...(account ?? {}) });
}

interface StartOptions {
  folder: string;
  port: number;
  address: string;
  isDurable: boolean;
  env: Readonly<Record<string, string>>;
}

function start(
  bin: string,
  { folder, port, address, isDurable, env }: StartOptions,
  account: Account | null,
): ChildProcess {
  const durability = isDurable ? 'on' : 'off';
  const settings = {
    listen_addresses: address,
    unix_socket_directories: '',
    port: String(port),
    fsync: durability,
    full_page_writes: durability,
    synchronous_commit: durability,
    max_connections: '300',
  };
  const args = ['-D', join(folder, 'data'), ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])];
  // Into a file: an unread pipe fills up, and the server then blocks while it writes error messages.
  const log = openSync(logPath(folder), 'a');
  try {
    return spawn(join(bin, 'postgres'), args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', log],
      ...(account ?? {}),
    });
  } finally {
    closeSync(log);
  }
}

function logPath(folder: string): string {
  return join(folder, 'server.log');
}

/** Its log shows when it is ready; no trial connection is needed. */
async function untilReady(server: ChildProcess, folder: string, logBegins: number): Promise<void> {
  const deadlineMs = Date.now() + WAIT_MS;
  for (;;) {
    const log = readFileSync(logPath(folder), 'utf8').slice(logBegins);
    if (log.includes('ready to accept connections')) return;
    if (server.exitCode !== null || server.signalCode !== null || Date.now() > deadlineMs) {
      server.kill('SIGQUIT');
      throw new Error(log.trim().split('\n').at(-1) ?? 'no answer');
    }
    await sleep(25);
  }
}

/** SIGINT: fast shutdown, which cuts open connections. */
async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGINT');
  await Promise.race([ended, sleep(5000)]);
  if (server.exitCode === null && server.signalCode === null) server.kill('SIGKILL');
  await ended;
}

/** Its children lead their own process groups, and would clean up if they noticed that their parent died. */
async function killServer(server: ChildProcess): Promise<void> {
  const family = childrenOf(server);
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGSTOP');
  for (const pid of family) sendSignal(pid, 'SIGKILL');
  server.kill('SIGKILL');
  await ended;
}

function childrenOf(server: ChildProcess): number[] {
  return spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, parent]) => (pid !== undefined && parent === server.pid ? [pid] : []));
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The connection ended meanwhile.
  }
}

/** Resident memory of the idle product as a user starts it, and its parts. Linux only. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { SERVER_FLAGS, serverEnvironment } from '../../../scripts/start/process-options.mjs';

/** MiB. `heap`, `external`: of the main thread only. */
export interface Memory {
  resident: number;
  /** Code and data read from files: the runtime itself and native libraries. */
  files: number;
  heap: number;
  external: number;
  /** Memory of WebAssembly (PGlite): mapped in pieces of gigabytes, resident only where it was used. */
  webAssembly: number;
  /** The rest: with PGlite mostly its thread (compiled code, unpacked files, heap), else allocators. */
  rest: number;
}

const ROOT = join(import.meta.dirname, '../../..');
const SETTLE_MS = 15_000;
/** Runs in the main thread: prints its figures on SIGUSR2. */
const REPORTER = `process.on('SIGUSR2', () => { globalThis.gc?.(); console.error('MEMORY' + JSON.stringify(process.memoryUsage())); });`;
const usageSchema = z.object({ heapTotal: z.number(), external: z.number() });

/** @param databaseUrl null: PGlite */
export async function measureIdleMemory(databaseUrl: string | null): Promise<Memory> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kat-memory-'));
  const reporter = `data:text/javascript,${encodeURIComponent(REPORTER)}`;
  const child = spawn(process.execPath, [...SERVER_FLAGS, '--import', reporter, join(ROOT, 'scripts/start.ts')], {
    cwd: ROOT,
    env: serverEnvironment(ROOT, {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      PORT: '0',
      DATA_DIR: dataDir,
      MARKET: 'sandbox',
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  try {
    await until(
      () => output.includes('Kat is ready'),
      () => output,
    );
    await sleep(SETTLE_MS);
    child.kill('SIGUSR2');
    await until(
      () => /MEMORY\{.*\}/.test(output),
      () => output,
    );
    const usage = usageSchema.parse(JSON.parse(/MEMORY(\{.*\})/.exec(output)?.[1] ?? ''));
    return partsOf(mappings(child.pid ?? 0), usage);
  } finally {
    child.kill('SIGINT');
    await once(child, 'exit');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function until(isSo: () => boolean, output: () => string): Promise<void> {
  const endsMs = performance.now() + 60_000;
  while (!isSo()) {
    if (performance.now() > endsMs) throw new Error(`the server did not answer in time:\n${output()}`);
    await sleep(100);
  }
}

interface Mapping {
  sizeKb: number;
  residentKb: number;
  isFile: boolean;
}

function mappings(pid: number): Mapping[] {
  const found: Mapping[] = [];
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    const head = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ (\d+)/.exec(line);
    if (head) found.push({ sizeKb: 0, residentKb: 0, isFile: head[1] !== '0' });
    const last = found.at(-1);
    const field = /^(Size|Rss):\s+(\d+) kB/.exec(line);
    if (last === undefined || field === null) continue;
    if (field[1] === 'Size') last.sizeKb = Number(field[2]);
    else last.residentKb = Number(field[2]);
  }
  return found;
}

/** V8 reserves gigabytes of addresses behind each WebAssembly memory; no other mapping here exceeds 64 MiB. */
const WEB_ASSEMBLY_FROM_KB = 64 * 1024;

function partsOf(all: readonly Mapping[], usage: { heapTotal: number; external: number }): Memory {
  const sum = (some: readonly Mapping[]) => some.reduce((kb, one) => kb + one.residentKb, 0) / 1024;
  const resident = sum(all);
  const files = sum(all.filter((one) => one.isFile));
  const webAssembly = sum(all.filter((one) => !one.isFile && one.sizeKb >= WEB_ASSEMBLY_FROM_KB));
  const heap = usage.heapTotal / 1024 ** 2;
  const external = usage.external / 1024 ** 2;
  const parts = {
    resident,
    files,
    heap,
    external,
    webAssembly,
    rest: resident - files - heap - external - webAssembly,
  };
  return Object.fromEntries(Object.entries(parts).map(([name, mib]) => [name, Math.round(mib)])) as unknown as Memory;
}

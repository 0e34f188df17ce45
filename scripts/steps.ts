/** Runs the steps of `npm run check` and `npm test`, and counts what passed and failed. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '..');
export const NODE = process.execPath;

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  /** Names of failed steps, for the end of the output. */
  failedSteps: string[];
}

export function newTally(): Tally {
  return { passed: 0, failed: 0, skipped: 0, failedSteps: [] };
}

export interface RunResult {
  code: number;
  output: string;
}

/** Runs a program in the repository's folder; its output is shown live and returned. */
export function run(
  command: string,
  args: readonly string[],
  options: { env?: Record<string, string>; isQuiet?: boolean; cwd?: string } = {},
): Promise<RunResult> {
  return new Promise((settle) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? ROOT,
      env: { ...process.env, FORCE_COLOR: '0', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stop = (): void => void child.kill();
    process.once('exit', stop);
    let output = '';
    const onData = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
      if (options.isQuiet !== true) process.stdout.write(chunk);
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.on('error', (error) => settle({ code: 127, output: `${output}${error.message}\n` }));
    child.on('close', (code) => {
      process.off('exit', stop);
      settle({ code: code ?? 1, output });
    });
  });
}

/** Path of an installed package's program. */
export function bin(name: string): string {
  // Two compilers are installed under this name: tests read declarations with the older one, which has an API for that.
  if (name === 'tsc') return resolve(ROOT, 'node_modules/typescript/bin/tsc');
  return resolve(ROOT, 'node_modules', '.bin', name);
}

/** Runs one named check; a failing one shows its output. */
export async function step(name: string, tally: Tally, work: () => Promise<RunResult>): Promise<boolean> {
  const startedMs = performance.now();
  const result = await work();
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const isPassed = result.code === 0;
  if (isPassed) {
    tally.passed += 1;
  } else {
    tally.failed += 1;
    tally.failedSteps.push(name);
  }
  console.log(`${isPassed ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
  if (!isPassed) console.log(result.output);
  return isPassed;
}

export function closingLine(tally: Tally): string {
  const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : '';
  return `${tally.passed} passed, ${tally.failed} failed${skipped}`;
}

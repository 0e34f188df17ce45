/** Runs commands in a separate process, as an operator does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { compiledBefore, NODE_FLAGS } from './kat-server.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

export interface ScriptResult {
  code: number;
  /** Both outputs, trimmed. */
  text: string;
}

/** A command of scripts/operator. @param env  all of its settings; none are inherited */
export function runScript(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ScriptResult> {
  return runFile({ file: `scripts/operator/${name}.ts`, args, env, cwd: ROOT });
}

export interface FileRun {
  /** Of the repository. */
  file: string;
  args: readonly string[];
  /** All of its settings; none are inherited. */
  env: Readonly<Record<string, string>>;
  cwd: string;
}

export function runFile({ file, args, env, cwd }: FileRun): Promise<ScriptResult> {
  return runProgram(join(ROOT, 'node_modules/.bin/node'), [...NODE_FLAGS, join(ROOT, file), ...args], { env, cwd });
}

/** @param options.env  added to the path and the home folder */
export async function runProgram(
  program: string,
  args: readonly string[],
  { env, cwd }: Pick<FileRun, 'env' | 'cwd'>,
): Promise<ScriptResult> {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...compiledBefore(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
  const [code] = await once(child, 'close');
  return { code: Number(code), text: text.trim() };
}

/** Runs a command of scripts/operator in a separate process, as an operator does. */
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

/** @param env  all of its settings; none are inherited */
export async function runScript(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ScriptResult> {
  const child = spawn(
    join(ROOT, 'node_modules/.bin/node'),
    [...NODE_FLAGS, join(ROOT, `scripts/operator/${name}.ts`), ...args],
    {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...compiledBefore(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
  const [code] = await once(child, 'close');
  return { code: Number(code), text: text.trim() };
}

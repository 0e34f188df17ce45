/** A busy loop per core, beside a test run. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { NODE } from '../../steps.ts';

/** It ends with its parent too, however that ends. */
const LOOP = `const parent = process.ppid; while (process.ppid === parent) for (let i = 0; i < 1e8; i++);`;

/** @returns ends them */
export function startBusyLoops(cores = availableParallelism()): () => void {
  const loops = Array.from({ length: cores }, () => spawn(NODE, ['-e', LOOP], { stdio: 'ignore' }));
  return () => {
    for (const loop of loops) loop.kill('SIGKILL');
  };
}

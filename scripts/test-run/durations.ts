/** How long each test file took in its last run here: for the order of files, the remaining time, and `--changed`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as z from 'zod/mini';
import { LONG_FILES } from '../test-commands/test-order.ts';
import { kindOfFile, type TestKind } from './kinds.ts';

const DURATIONS_FILE = resolve(import.meta.dirname, '../../.cache/test-durations.json');
const durationsSchema = z.record(z.string(), z.number());

/** For a file that has never run here. */
const USUAL_MS: Record<TestKind, number> = { unit: 300, web: 900, database: 3000, contract: 3000, e2e: 10_000 };
/** For a file that is known to take long and has never run here. */
const LONG_MS = 20_000;

export type Durations = Record<string, number>;

/** Milliseconds by path relative to the repository; empty on a fresh checkout. */
export function readDurations(file = DURATIONS_FILE): Durations {
  try {
    return durationsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Nothing ran here yet, or the file was cut off: the estimates below are used.
    return {};
  }
}

export function rememberDurations(measured: Durations, file = DURATIONS_FILE): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...readDurations(file), ...measured }));
}

export function estimateMs(path: string, durations: Durations): number {
  const known = durations[path];
  if (known !== undefined) return known;
  if (LONG_FILES.some((name) => path === name)) return LONG_MS;
  return USUAL_MS[kindOfFile(path) ?? 'contract'];
}

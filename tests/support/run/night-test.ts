import { test } from 'vitest';
import { isNight } from './test-size.ts';

/** A test of `npm test -- night`. By day it is not defined: what counts as skipped is what could not run. */
export function nightTest(name: string, body: () => unknown, timeoutMs?: number): void {
  if (isNight) test(name, body, timeoutMs);
}

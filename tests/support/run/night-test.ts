import { test } from 'vitest';
import { isNight } from './test-size.ts';

/** A test of `npm test -- night`. By day it is not defined, so that skipped counts only what could not run. */
export function nightTest(name: string, body: () => unknown, timeoutMs?: number): void {
  if (isNight) test(name, body, timeoutMs);
}

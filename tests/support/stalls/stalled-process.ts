/** Set up before each test file of `npm test -- repeat --stalls`, and never otherwise. */
import { relative } from 'node:path';
import { afterAll, expect, vi } from 'vitest';
import { holdAnswers, STALLS_SEED, stallsOf, startStalls } from './process-stalls.ts';

const seed = Number(process.env[STALLS_SEED]);
const file = relative(process.cwd(), expect.getState().testPath ?? '').replaceAll('\\', '/');
afterAll(startStalls(stallsOf(seed, file)));
const { hold, settled } = holdAnswers(seed, file);
// Under replaced timers a test moves the time itself: nothing real happens between its steps.
Object.assign(globalThis, { heldAnswers: { hold: async () => (vi.isFakeTimers() ? undefined : hold()), settled } });

/** Set up before each test file of `npm test -- repeat --stalls`, and never otherwise. */

import { relative } from 'node:path';
import { afterAll, expect } from 'vitest';
import { STALLS_SEED, stallsOf, startStalls } from './process-stalls.ts';

const file = relative(process.cwd(), expect.getState().testPath ?? '').replaceAll('\\', '/');
afterAll(startStalls(stallsOf(Number(process.env[STALLS_SEED]), file)));

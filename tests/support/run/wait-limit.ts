import { STRAINED } from './strains.ts';

/** Processes that are slow on purpose take several times as long. */
const SLOWNESS = process.env[STRAINED] === undefined ? 1 : 5;
/** Wait limit for what takes milliseconds on an idle machine. The library's second is too short on a busy one. */
export const WAIT_MS = SLOWNESS * 60_000;
/** `HANG_MS` of processes that are not slow on purpose. */
export const USUAL_HANG_MS = 300_000;
/** Ends a test that hangs. It measures nothing, so no test needs a shorter one. */
export const HANG_MS = SLOWNESS * USUAL_HANG_MS;

/** Wait limit for what takes milliseconds on an idle machine. The library's second is too short on a busy one. */
export const WAIT_MS = 30_000;

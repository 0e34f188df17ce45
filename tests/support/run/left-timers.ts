/**
 * Set up before each test file: files share a process, so a file that leaves its clock stopped would stop the next one,
 * whichever that is.
 */
import { afterAll, vi } from 'vitest';

afterAll(() => {
  if (!vi.isFakeTimers()) return;
  vi.useRealTimers();
  throw new Error('This file left fake timers behind: call vi.useRealTimers() after each test that has them.');
});

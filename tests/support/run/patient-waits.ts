/**
 * Set up before each test file: what a test waits for may take as long as on a busy machine. The library's second fails
 * tests by chance, and a longer wait costs nothing in a test that passes.
 */
import { vi } from 'vitest';
import { WAIT_MS } from './wait-limit.ts';

type Options = Parameters<typeof vi.waitFor>[1];

const patient = (options: Options = {}): Options =>
  typeof options === 'number' ? options : { timeout: WAIT_MS, ...options };

const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options) => waitFor(callback, patient(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));

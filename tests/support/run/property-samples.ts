/**
 * Set up before each test file: by day, a property whose test names no number is checked with a quarter of the values
 * that the night uses. Each run draws others.
 */
import { configureGlobal } from 'fast-check';
import { sampleSize } from './test-size.ts';

configureGlobal({ numRuns: sampleSize(25, 100) });

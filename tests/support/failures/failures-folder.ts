import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In a run's folder: what failed tests left. It stays until the next run. */
export const FAILURES = 'failures';

/** In the folder of this run, which is the temporary folder of all its processes. */
export const failuresFolder = (): string => join(tmpdir(), FAILURES);

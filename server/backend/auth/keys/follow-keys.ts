/** Keeps a running server's keys what the key file says: a rotation needs no restart. */
import type { Logger } from '../../../platform/telemetry/log.ts';
import type { OpenedKeys } from './keys.ts';

/** A rotation is known to a running server this late at most. */
const LOOK_EVERY_MS = 2000;

/** @returns its undo, which waits for a look under way */
export function followKeyFile(options: {
  keys: Pick<OpenedKeys, 'reload'>;
  log: Logger;
  everyMs?: number;
}): () => Promise<void> {
  const { keys, log } = options;
  let underWay: Promise<void> | null = null;
  let hasFailed = false;

  async function look(): Promise<void> {
    try {
      if (await keys.reload()) log.info('the key file changed and was read again');
      hasFailed = false;
    } catch (error) {
      // The keys read before go on serving; told once, not every two seconds.
      if (!hasFailed) log.error({ err: error }, 'the key file changed and cannot be read');
      hasFailed = true;
    }
  }

  const timer = setInterval(() => {
    underWay ??= look().finally(() => {
      underWay = null;
    });
  }, options.everyMs ?? LOOK_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}

/** Reloads a running server's keys when the key file changes, so a rotation needs no restart. */
import type { Logger } from '../../../platform/telemetry/log.ts';
import type { OpenedKeys } from './keys.ts';

/** The longest delay until a running server notices a rotation. */
const LOOK_EVERY_MS = 2000;

/** @returns a function that stops it and waits for a check in progress */
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
      // The keys read before stay in use; logged once, not every two seconds.
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

import type { Logger } from '../../platform/telemetry/log.ts';
import type { PredictionStore } from './prediction-store.ts';

export interface SettlingDeps {
  predictions: Pick<PredictionStore, 'settle'>;
  log: Logger;
  intervalMs?: number;
}

const INTERVAL_MS = 30_000;

/** Every 30 s; of several processes one ends each row. @returns stops the job, and waits for a run in progress */
export function startSettling(deps: SettlingDeps): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = settle();

  async function settle(): Promise<void> {
    try {
      const { spent, released } = await deps.predictions.settle();
      if (spent + released > 0) deps.log.info({ spent, released }, 'expired reservations settled');
    } catch (error) {
      // The database may be restarting: the next run finds the same rows.
      deps.log.warn({ err: error }, 'settling failed');
    }
    if (isStopped) return;
    timer = setTimeout(() => {
      running = settle();
    }, deps.intervalMs ?? INTERVAL_MS);
  }

  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
}

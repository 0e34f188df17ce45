export interface WakeLoop {
  /** Runs now, or once more after the run in progress. */
  wake(): void;
  /** Starts no more runs. @returns when the run in progress has ended */
  stop(): Promise<void>;
}

/**
 * One run at a time. A wake during a run starts another after it, because the run may already have read past the cause.
 * @param run  never rejects
 */
export function wakeLoop(run: () => Promise<void>): WakeLoop {
  let running: Promise<void> | null = null;
  let isWoken = false;
  let isStopped = false;

  function wake(): void {
    if (isStopped) return;
    if (running !== null) {
      isWoken = true;
      return;
    }
    running = run().finally(() => {
      running = null;
      if (!isWoken) return;
      isWoken = false;
      wake();
    });
  }

  return {
    wake,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** Requests `/readyz` of each process every second, as a balancer does, and counts the answers that are not 200. */

export interface ReadyWatch {
  /** Since the last call: requests, and answers that were not 200, by process. */
  take(): { requested: number; notReady: Record<string, number> };
  stop(): void;
}

const EVERY_MS = 1000;
const LIMIT_MS = 5000;

export function watchReady(urls: readonly string[]): ReadyWatch {
  let requested = 0;
  let notReady: Record<string, number> = {};
  const poll = async (url: string): Promise<void> => {
    const headers = { connection: 'close' };
    const status = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(LIMIT_MS), headers }).then(
      async (answer) => {
        await answer.body?.cancel();
        return String(answer.status);
      },
      (error: unknown) => (error instanceof Error ? error.name : 'failed'),
    );
    requested += 1;
    const what = `${new URL(url).port}: ${status}`;
    if (status !== '200') notReady[what] = (notReady[what] ?? 0) + 1;
  };
  const timer = setInterval(() => {
    for (const url of urls) void poll(url);
  }, EVERY_MS);
  return {
    take() {
      const taken = { requested, notReady };
      requested = 0;
      notReady = {};
      return taken;
    },
    stop: () => clearInterval(timer),
  };
}

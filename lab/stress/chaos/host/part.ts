/** One process of a world. Faults may overlap: it runs again once the last kill is over, and continues after the last pause. */
export interface PartActions {
  start(): Promise<void>;
  kill(): Promise<void>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
}

export interface Part {
  readonly isRunning: boolean;
  /** @returns ends the fault */
  kill(): Promise<() => Promise<void>>;
  /** @returns ends the fault */
  pause(): Promise<() => Promise<void>>;
}

const START_LIMIT_MS = 90_000;
const AGAIN_MS = 500;

/** @param actions  of a process that runs */
export function openPart(actions: PartActions): Part {
  const running = { kills: 0, pauses: 0 };
  let isRunning = true;
  /** Each change of the process waits for the one before. */
  let last: Promise<void> = Promise.resolve();

  async function settle(): Promise<void> {
    if (running.kills > 0 && isRunning) {
      isRunning = false;
      await actions.kill();
    }
    if (running.kills === 0 && !isRunning) {
      await startPatiently(actions);
      isRunning = true;
    }
    if (isRunning) actions.signal(running.pauses > 0 ? 'SIGSTOP' : 'SIGCONT');
  }

  function changed(): Promise<void> {
    last = last.then(settle);
    return last;
  }

  async function begin(kind: 'kills' | 'pauses'): Promise<() => Promise<void>> {
    running[kind] += 1;
    await changed();
    return async () => {
      running[kind] -= 1;
      await changed();
    };
  }

  return {
    get isRunning() {
      return isRunning;
    },
    kill: () => begin('kills'),
    pause: () => begin('pauses'),
  };
}

/** As a supervisor does: what a process needs may be down too. @throws Error if it never starts */
async function startPatiently({ start }: PartActions): Promise<void> {
  for (const endMs = Date.now() + START_LIMIT_MS; ; ) {
    try {
      return await start();
    } catch (error) {
      if (Date.now() > endMs) throw error;
      await new Promise((wake) => setTimeout(wake, AGAIN_MS));
    }
  }
}

/** Polls the subscription until it shows a change that the server has confirmed. */
import type { SubscriptionRecord } from '#domain/billing/subscription-record.ts';

const TRIES = 20;
const FIRST_MS = 800;
const GROWTH = 1.25;
const LONGEST_MS = 4000;

export interface PollPorts {
  ask(): Promise<SubscriptionRecord | null>;
  wait(ms: number): Promise<void>;
}

/** @returns whether the change was seen within 20 tries, failed ones included */
export async function pollRecord(
  isThere: (record: SubscriptionRecord | null) => boolean,
  ports: PollPorts,
): Promise<boolean> {
  let pauseMs = FIRST_MS;
  for (let tries = 1; ; tries += 1) {
    // A failed try is no evidence about the change: the next may succeed.
    const isSeen = await ports.ask().then(isThere, () => false);
    if (isSeen || tries === TRIES) return isSeen;
    await ports.wait(pauseMs);
    pauseMs = Math.min(LONGEST_MS, pauseMs * GROWTH);
  }
}

/** Each event at least once, signed, retried until the site accepts it. Waits use the sandbox's time. */
import { createHmac } from 'node:crypto';
import type { PaymentEngine } from '../engine/payment-engine.ts';
import { stored } from '../engine/work.ts';
import { siteNow } from '../model/clocks.ts';
import type { StoredEvent } from '../model/records.ts';
import { eventView } from '../views/shared.ts';
import { type DeliveryOrder, inOrder } from './delivery-order.ts';

export interface WebhookOptions {
  engine: PaymentEngine;
  secret: string;
  /** Target of the events; null: not known yet, so they wait. */
  target(): string | null;
  /** The machine's clock, epoch seconds: the time in signatures. */
  nowS(): number;
  log(line: string): void;
}

export interface DeliveryMode {
  mode: 'deliver' | 'hold' | 'drop';
  copies: number;
  order: DeliveryOrder;
  seed: number;
  delay_ms: number;
  signature: 'ok' | 'bad';
  /** Age of the time in the signature; below zero: in the future. */
  age_s: number;
}

export const PLAIN_DELIVERY: DeliveryMode = {
  mode: 'deliver',
  copies: 1,
  order: 'fifo',
  seed: 1,
  delay_ms: 0,
  signature: 'ok',
  age_s: 0,
};

export interface SentWebhook {
  event: string;
  type: string;
  status: number;
  attempt: number;
  body: string;
  header: string;
}

export interface WebhookSender {
  setMode(mode: DeliveryMode): void;
  release(): Promise<SentWebhook[]>;
  /** Sends it again, whatever the mode. */
  resend(event: StoredEvent): Promise<SentWebhook>;
  deliveries(): readonly SentWebhook[];
  /** Sends events due after the sandbox's time was moved. @returns once they are sent */
  wake(): Promise<void>;
  close(): void;
}

const MAX_REMEMBERED = 1000;
const TIMEOUT_MS = 10_000;
const RETRY_AFTER_S = [1, 5, 30, 300, 3600, 6 * 3600] as const;
const GIVE_UP_AFTER_S = 3 * 86_400;

export function openWebhooks({ engine, secret, target, nowS, log }: WebhookOptions): WebhookSender {
  const remembered: SentWebhook[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let mode = PLAIN_DELIVERY;
  /** By event: the time of its first refusal, in the sandbox's time. */
  const firstTries = new Map<string, number>();
  let held: StoredEvent[] = [];
  let waiting: { event: StoredEvent; attempt: number; dueS: number }[] = [];
  /** One after the other, so that the order holds. */
  let queue: Promise<unknown> = Promise.resolve();

  const closing = new AbortController();

  const siteS = () => siteNow(engine.state, nowS());

  function later(waitMs: number, act: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, waitMs);
    timer.unref();
    timers.add(timer);
  }

  async function send(event: StoredEvent, attempt: number): Promise<SentWebhook> {
    const body = JSON.stringify(eventView(event));
    const key = mode.signature === 'ok' ? secret : `${secret}-bad`;
    const header = signatureHeader(body, { secret: key, atS: nowS() - mode.age_s });
    const status = await post(body, header);
    const delivery = { event: event.id, type: event.type, status, attempt, body, header };
    remembered.push(delivery);
    if (remembered.length > MAX_REMEMBERED) remembered.shift();
    // After the close another process owns the state: an accepted event is sent again, which the site must tolerate.
    if (isTaken(delivery) && !closing.signal.aborted) settle(event);
    return delivery;
  }

  async function post(body: string, header: string): Promise<number> {
    const url = target();
    if (url === null || closing.signal.aborted) return 0;
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': header },
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), closing.signal]),
        redirect: 'manual',
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      // The site is down or slow: a failed delivery like any other.
      return 0;
    }
  }

  /** Stored, so that it is not sent again after a restart. */
  function settle({ id }: StoredEvent): void {
    firstTries.delete(id);
    // Old events expire while they are still being sent.
    if (engine.state.get('events', id) === null) return;
    engine.perform(({ draft }) => draft.put('events', { ...stored(draft, 'events', id), isSettled: true }));
  }

  async function tryAll(event: StoredEvent, attempt: number, copies: number): Promise<SentWebhook> {
    // In parallel, as an impatient provider would.
    const sent = await Promise.all(Array.from({ length: copies }, () => send(event, attempt)));
    const taken = sent.find(isTaken);
    const [delivery] = taken === undefined ? sent : [taken];
    if (delivery === undefined) throw new Error('An event is sent at least once.');
    if (taken === undefined) tryLater(event, attempt);
    return delivery;
  }

  function tryLater(event: StoredEvent, attempt: number): void {
    if (closing.signal.aborted) return;
    const wait = RETRY_AFTER_S[Math.min(attempt, RETRY_AFTER_S.length) - 1] ?? 0;
    const first = firstTries.get(event.id) ?? siteS();
    firstTries.set(event.id, first);
    if (siteS() - first > GIVE_UP_AFTER_S) {
      firstTries.delete(event.id);
      log(`the event ${event.id} was never accepted`);
      return;
    }
    waiting.push({ event, attempt: attempt + 1, dueS: siteS() + wait });
    // Slightly later, so that the second is over.
    later(wait * 1000 + 20, () => void wake());
  }

  async function wake(): Promise<void> {
    const due = waiting.filter(({ dueS }) => dueS <= siteS());
    waiting = waiting.filter((one) => !due.includes(one));
    await Promise.all(due.map(({ event, attempt }) => tryAll(event, attempt, 1)));
  }

  function enqueue(events: readonly StoredEvent[]): Promise<SentWebhook[]> {
    const { order, seed, copies } = mode;
    if (order === 'parallel') return Promise.all(events.map((event) => tryAll(event, 1, copies)));
    const sent = queue.then(async () => {
      const deliveries: SentWebhook[] = [];
      for (const event of inOrder(events, order, seed)) deliveries.push(await tryAll(event, 1, copies));
      return deliveries;
    });
    queue = sent;
    return sent;
  }

  function take(events: readonly StoredEvent[]): void {
    if (mode.mode === 'hold') held.push(...events);
    else if (mode.mode === 'drop') events.forEach(settle);
    else if (mode.delay_ms > 0) later(mode.delay_ms, () => void enqueue(events));
    else void enqueue(events);
  }

  engine.onEvents(take);
  // Events that the site had not accepted when the process ended.
  const unsettled = engine.state.list('events').filter(({ isSettled }) => !isSettled);
  if (unsettled.length > 0) later(RETRY_AFTER_S[0] * 1000, () => take(unsettled));

  return {
    setMode(next) {
      mode = next;
    },
    release() {
      const events = held;
      held = [];
      return enqueue(events);
    },
    resend: (event) => send(event, 1),
    deliveries: () => remembered,
    wake,
    close() {
      closing.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function isTaken({ status }: SentWebhook): boolean {
  return status >= 200 && status < 300;
}

function signatureHeader(body: string, { secret, atS }: { secret: string; atS: number }): string {
  const proof = createHmac('sha256', secret).update(`${atS}.${body}`).digest('hex');
  return `t=${atS},v1=${proof}`;
}

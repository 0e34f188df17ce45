/** The payment engine: performs work at the right time and atomically, writes it to the journal, emits its events. */
import { customerNow, siteNow } from '../model/clocks.ts';
import type { StoredEvent } from '../model/records.ts';
import { type Draft, openDraft, type PaymentState, type StateStore } from '../model/state-store.ts';
import { advance } from './subscriptions/advance.ts';
import type { Work } from './work.ts';

export interface PaymentEngineOptions {
  store: StateStore;
  nowS(): number;
  newId(prefix: string): string;
  /** Present address of the hosted pages in a browser. */
  pagesUrl(): string;
  append(changes: ReturnType<Draft['changes']>): void;
}

export interface Hand {
  draft: Draft;
  pagesUrl: string;
  /** The machine's clock with the offset. */
  siteS: number;
  /** Work at this customer's time. @param customerId  null: no customer */
  workFor(customerId: string | null): Work;
}

export interface PaymentEngine {
  readonly state: PaymentState;
  /** Performs all work that fell due since the last call. */
  passTime(): void;
  /** Discards all changes if `act` throws. */
  perform<T>(act: (hand: Hand) => T, idempotencyKey?: string | null): T;
  /** As perform, but discards all changes. */
  read<T>(act: (hand: Hand) => T): T;
  /** Called after each piece of work with its events, oldest first. */
  onEvents(listener: (events: StoredEvent[]) => void): void;
}

export function openPaymentEngine(options: PaymentEngineOptions): PaymentEngine {
  const { store, nowS, newId, append } = options;
  const listeners: ((events: StoredEvent[]) => void)[] = [];

  function openHand(draft: Draft, idempotencyKey: string | null): Hand {
    const machineS = nowS();
    const pagesUrl = options.pagesUrl();
    return {
      draft,
      pagesUrl,
      siteS: siteNow(draft, machineS),
      workFor(customerId) {
        const customer = customerId === null ? null : draft.get('customers', customerId);
        return { draft, pagesUrl, atS: customerNow(draft, customer, machineS), machineS, idempotencyKey };
      },
    };
  }

  const engine: PaymentEngine = {
    state: store,
    perform(act, idempotencyKey = null) {
      const draft = openDraft(store, newId);
      const result = act(openHand(draft, idempotencyKey));
      const changes = draft.changes();
      const events = changes.flatMap((change) =>
        change.table === 'events' && store.get('events', change.row.id) === null ? [change.row] : [],
      );
      append(changes);
      store.apply(changes);
      if (events.length > 0) for (const listener of listeners) listener(events);
      return result;
    },
    read: (act) => act(openHand(openDraft(store, newId), null)),
    passTime() {
      engine.perform((hand) => advance(hand.workFor(null), (customerId) => hand.workFor(customerId).atS));
    },
    onEvents: (listener) => void listeners.push(listener),
  };
  return engine;
}

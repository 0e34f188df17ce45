/** One customer and the two products, for tests of the payment engine. A test performs calls and moves the clock. */
import type { CardBehaviour, TestCard } from '../../model/cards.ts';
import type { Invoice, Subscription } from '../../model/records.ts';
import { createStateStore, openDraft, type StateStore } from '../../model/state-store.ts';
import { completeSession } from '../payments/checkout.ts';
import { advance } from '../subscriptions/advance.ts';
import { stored, type Work } from '../work.ts';

export const START = Date.parse('2026-01-31T12:00:00Z') / 1000;
export const DAY_S = 86_400;
export const BOBCAT = 'price_bobcat';
export const LION = 'price_lion';
const CUSTOMER = 'cus_1';

export interface Story {
  store: StateStore;
  at<T>(atS: number, act: (work: Work) => T): T;
  until(atS: number): void;
  subscription(): Subscription;
  invoices(): Invoice[];
  /** Types of the events since the last call. */
  newEvents(): string[];
}

export function aCard(behaviour: CardBehaviour = 'ok'): TestCard {
  return { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034, behaviour };
}

export function aStory(): Story {
  const store = createStateStore();
  let count = 0;
  let readCount = 0;
  const story: Story = {
    store,
    at(atS, act) {
      const draft = openDraft(store, (prefix) => `${prefix}_${++count}`);
      const result = act({ draft, atS, machineS: START, pagesUrl: 'http://pages.test', idempotencyKey: null });
      store.apply(draft.changes());
      return result;
    },
    until: (atS) => story.at(atS, (work) => advance(work, () => atS)),
    subscription: () => stored(store, 'subscriptions', store.list('subscriptions')[0]?.id ?? ''),
    invoices: () => store.list('invoices'),
    newEvents() {
      const events = store.list('events').slice(readCount);
      readCount += events.length;
      return events.map(({ type }) => type);
    },
  };
  story.at(START, ({ draft }) => {
    const shared = { created: START, isActive: true, metadata: {} };
    draft.put('products', { ...shared, id: 'prod_1', name: 'Kat', description: null });
    for (const [id, unitAmount] of [
      [BOBCAT, 2999],
      [LION, 6999],
    ] as const)
      draft.put('prices', {
        ...shared,
        id,
        product: 'prod_1',
        unitAmount,
        currency: 'usd',
        lookupKey: null,
        nickname: null,
      });
    draft.put('customers', {
      id: CUSTOMER,
      created: START,
      email: 'ada@example.com',
      name: null,
      metadata: {},
      balance: 0,
      defaultPaymentMethod: null,
      testClock: null,
      nextDeclines: null,
      isDeleted: false,
    });
  });
  return story;
}

export function openSession({ draft, atS }: Work, price = BOBCAT) {
  return draft.put('sessions', {
    id: draft.newId('cs_test'),
    created: atS,
    status: 'open',
    customer: CUSTOMER,
    clientReferenceId: null,
    price,
    successUrl: 'http://site.test/done',
    cancelUrl: null,
    expiresAt: atS + 1800,
    metadata: {},
    subscriptionMetadata: { user_id: 'u1' },
    subscription: null,
    invoice: null,
  });
}

export function aSubscriber(price = BOBCAT, behaviour: CardBehaviour = 'ok'): Story {
  const story = aStory();
  story.at(START, (work) =>
    completeSession(work, openSession(work, price), { card: aCard(behaviour), hasConsent: true }),
  );
  story.newEvents();
  return story;
}

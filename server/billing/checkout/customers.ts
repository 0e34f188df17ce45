/**
 * The user's customer at the payment provider: only one, however many concurrent calls. The row is claimed first. The
 * claim's key is the creation's idempotency key, and the parameters never change, so a repeat has no second effect.
 */
import { isAppError } from '#domain/errors/app-error.ts';
import type { PaymentsSource } from '../provider/payments-source.ts';
import { isMissing, type ProviderCall, providerFacts, type Stripe } from '../provider/provider-call.ts';
import type { Claim, CustomerStore } from './customer-store.ts';

export interface Customers {
  /** The user's customer at the provider in the current mode, created if missing. Concurrent calls create only one. */
  ensure(userId: string): Promise<string>;
  of(userId: string): Promise<string | null>;
}

export interface CustomerDeps {
  stripe: Stripe;
  call: ProviderCall;
  store: CustomerStore;
  mode: PaymentsSource['mode'];
}

/** The provider forgets its keys after a day, so an older claim starts with a lookup. */
const KEY_AGE_S = 20 * 3600;
/** Allowed difference between the database's clock and the provider's. */
const SKEW_S = 300;
const PAGE = 100;
const MAX_PAGES = 20;

export function openCustomers({ stripe, call, store, mode }: CustomerDeps): Customers {
  /** Shares one run per user in this process; across processes the claim and its key prevent duplicates. */
  const underWay = new Map<string, Promise<string>>();

  async function ensureCustomer(userId: string): Promise<string> {
    // Two rounds: a deleted customer is replaced once.
    for (let round = 0; round < 2; round += 1) {
      const customerId = await claimCustomer(userId);
      const customer = await read(customerId);
      if (customer !== null) {
        await updateContact(userId, customer);
        return customerId;
      }
      await store.renew(userId, { customerId });
    }
    return claimCustomer(userId);
  }

  async function claimCustomer(userId: string): Promise<string> {
    const claim = await store.claim(userId);
    if (claim.customerId !== null) return claim.customerId;
    const customerId = (claim.ageS > KEY_AGE_S ? await search(userId, claim) : null) ?? (await create(userId, claim));
    const assigned = await store.assign(userId, claim.creatingKey, customerId);
    // Another process replaced the claim; its claim counts.
    return assigned ?? claimCustomer(userId);
  }

  async function create(userId: string, { creatingKey, claimedS }: Claim): Promise<string> {
    const options = { idempotencyKey: `cust_${creatingKey}` };
    try {
      const { id } = await call('customer', () => stripe.customers.create({ metadata: { user_id: userId } }, options));
      return id;
    } catch (error) {
      // The provider repeats its own failure under the same key for a day. If it created the customer before failing,
      // use that one; otherwise the next attempt needs a new key.
      if (!isOwnFailure(error)) throw error;
      const existing = await findInList(userId, claimedS - SKEW_S);
      if (existing !== null) return existing;
      await store.renew(userId, { creatingKey });
      throw error;
    }
  }

  /** Uses the provider's search index, which may lag by an hour. */
  async function search(userId: string, claim: Claim): Promise<string | null> {
    const query = `metadata['user_id']:'${userId}'`;
    const { data } = await call('search_result', () => stripe.customers.search({ query, limit: 1 }));
    const [first] = data;
    if (first !== undefined) return first.id;
    await store.renew(userId, { creatingKey: claim.creatingKey });
    claim.creatingKey = (await store.claim(userId)).creatingKey;
    return null;
  }

  /** Uses the provider's list, which is never stale. */
  async function findInList(userId: string, sinceS: number): Promise<string | null> {
    let after: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { data, has_more } = await call('list', () =>
        stripe.customers.list({ limit: PAGE, ...(after === undefined ? {} : { starting_after: after }) }),
      );
      const mine = data.find(({ metadata }) => metadata.user_id === userId);
      if (mine !== undefined) return mine.id;
      const last = data.at(-1);
      if (!has_more || last === undefined || last.created < sinceS) return null;
      after = last.id;
    }
    return null;
  }

  /**
   * Null for a deleted customer, or if the whole test mode was cleared. Live data is never cleared, and the provider
   * marks deleted customers. A customer missing in live mode therefore means the keys belong to another account.
   */
  async function read(customerId: string): Promise<Stripe.Customer | null> {
    try {
      const customer = await call('customer', () => stripe.customers.retrieve(customerId));
      return customer.deleted === true ? null : customer;
    } catch (error) {
      if (isMissing(error) && mode !== 'live') return null;
      throw error;
    }
  }

  async function updateContact(userId: string, customer: Stripe.Customer): Promise<void> {
    const contact = await store.contactOf(userId);
    if (contact === null) return;
    const email = contact.email ?? '';
    const name = contact.name ?? '';
    if ((customer.email ?? '') === email && (customer.name ?? '') === name) return;
    try {
      await call('customer', () => stripe.customers.update(customer.id, { email, name }));
    } catch (error) {
      // The provider accepts fewer addresses than we do; its own pages then request one.
      if (!isAppError(error) || error.code !== 'billing/provider-refused') throw error;
    }
  }

  return {
    ensure(userId) {
      const running = underWay.get(userId);
      if (running !== undefined) return running;
      const work = ensureCustomer(userId).finally(() => underWay.delete(userId));
      underWay.set(userId, work);
      return work;
    },
    of: (userId) => store.of(userId),
  };
}

function isOwnFailure(error: unknown): boolean {
  const statusCode = isAppError(error) ? providerFacts(error)?.statusCode : null;
  return typeof statusCode === 'number' && statusCode >= 500;
}

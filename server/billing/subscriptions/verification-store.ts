import { hash } from 'node:crypto';
import { asOwner, type Database } from '../../platform/database/database.ts';
import type { PaymentsSource } from '../provider/payments-source.ts';

export interface VerificationFigures {
  /** Subscriptions whose rows differed from the provider's state. */
  updated: number;
  checked: number;
  /** Customers that this verification hasn't reached. */
  remaining: number;
  /** Customers whose data the provider refused to return. */
  failed: number;
}

export interface VerificationStore {
  /** Discards a verification abandoned long ago, so the next one starts from the beginning. */
  forgetOld(): Promise<void>;
  /** Customers not reached yet: those with a live subscription first. */
  next(limit: number): Promise<string[]>;
  reached(customerId: string): Promise<void>;
  remaining(): Promise<number>;
  /** All were reached: the next verification starts from the beginning. */
  end(): Promise<void>;
  /** The customer's rows, each as a hash of its provider data. By subscription. */
  rowsOf(customerId: string): Promise<Map<string, string>>;
  audit(actorId: string, details: VerificationFigures & { error: string | null }): Promise<void>;
}

const OLD = "interval '1 hour'";

export function verificationStore(database: Database, mode: PaymentsSource['mode']): VerificationStore {
  const queries = asOwner(database);
  const NOT_REACHED = `from public.stripe_customers c
    where c.mode = $1::text and c.customer_id is not null
      and not exists (select 1 from private.verified_customers v where v.customer_id = c.customer_id)`;
  return {
    async forgetOld() {
      await queries.query(
        `delete from private.verified_customers
          where not exists (select 1 from private.verified_customers where verified_at > now() - ${OLD})`,
        [],
      );
    },
    async next(limit) {
      const rows = await queries.query<{ customer_id: string }>(
        `select c.customer_id ${NOT_REACHED}
          order by exists (select 1 from public.stripe_subscriptions s where s.customer_id = c.customer_id
                              and s.status not in ('canceled', 'incomplete_expired')) desc, c.customer_id
          limit $2::int`,
        [mode, limit],
      );
      return rows.map((row) => row.customer_id);
    },
    async reached(customerId) {
      await queries.query(
        `insert into private.verified_customers (customer_id) values ($1::text)
         on conflict (customer_id) do update set verified_at = now()`,
        [customerId],
      );
    },
    async remaining() {
      const [row] = await queries.query<{ count: number }>(`select count(*)::int as count ${NOT_REACHED}`, [mode]);
      return row?.count ?? 0;
    },
    async end() {
      await queries.query('delete from private.verified_customers', []);
    },
    async rowsOf(customerId) {
      const rows = await queries.query<{ subscription_id: string; content: unknown }>(
        `select s.subscription_id, to_jsonb(s) - array['synced_seq', 'noticed_seq', 'updated_at'] as content
           from public.stripe_subscriptions s where s.customer_id = $1::text`,
        [customerId],
      );
      return new Map(
        rows.map(({ subscription_id, content }) => [subscription_id, hash('sha256', JSON.stringify(content))]),
      );
    },
    async audit(actorId, { error, ...figures }) {
      const details = { ...figures, ...(error === null ? {} : { error }) };
      await queries.query("select private.write_audit('billing.verify', null, $1::text::jsonb, $2::text::uuid)", [
        JSON.stringify(details),
        actorId,
      ]);
    },
  };
}

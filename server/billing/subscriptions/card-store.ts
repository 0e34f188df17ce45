/** A customer's cards as the provider shows them: brand, last four digits, expiry. */
import { type Database, SERVICE } from '../../platform/database/database.ts';
import type { Card } from './subscription-row.ts';

export interface CardStore {
  /** Stores the full list and deletes cards not in it. Does nothing if a later ticket has already written. */
  replace(owner: { userId: string; customerId: string }, cards: readonly Card[], ticket: number): Promise<void>;
  /** The customer whose card it is here; null if unknown. */
  customerOf(paymentMethodId: string): Promise<string | null>;
}

export function cardStore(database: Database): CardStore {
  return {
    replace: ({ userId, customerId }, cards, ticket) =>
      database.transaction(SERVICE, async (tx) => {
        const mine = await tx.query(
          `update public.stripe_customers set cards_seq = $3
            where user_id = $1 and customer_id = $2 and cards_seq < $3 returning user_id`,
          [userId, customerId, ticket],
        );
        if (mine.length === 0) return;
        await tx.query(
          'delete from public.payment_methods where user_id = $1 and not (payment_method_id = any ($2::text[]))',
          [userId, cards.map(({ paymentMethodId }) => paymentMethodId)],
        );
        const rows = cards.map((card) => ({
          payment_method_id: card.paymentMethodId,
          brand: card.brand,
          last4: card.last4,
          exp_month: card.expMonth,
          exp_year: card.expYear,
          is_default: card.isDefault,
          created_s: card.createdS,
        }));
        await tx.query(
          `insert into public.payment_methods
             (payment_method_id, user_id, brand, last4, exp_month, exp_year, is_default, created_at)
           select r.payment_method_id, $1, r.brand, r.last4, r.exp_month, r.exp_year, r.is_default, to_timestamp(r.created_s)
             from jsonb_to_recordset($2::jsonb) as r (payment_method_id text, brand text, last4 text, exp_month smallint,
                                                      exp_year smallint, is_default boolean, created_s float8)
           on conflict (payment_method_id) do update set
             user_id = excluded.user_id, brand = excluded.brand, last4 = excluded.last4, exp_month = excluded.exp_month,
             exp_year = excluded.exp_year, is_default = excluded.is_default`,
          [userId, JSON.stringify(rows)],
        );
      }),
    async customerOf(paymentMethodId) {
      const rows = await database.query<{ id: string | null }>(
        SERVICE,
        `select c.customer_id as id from public.payment_methods p
           join public.stripe_customers c on c.user_id = p.user_id where p.payment_method_id = $1`,
        [paymentMethodId],
      );
      return rows[0]?.id ?? null;
    },
  };
}

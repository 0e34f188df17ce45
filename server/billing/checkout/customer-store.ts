/** Maps users to customers at the payment provider. One row per user, claimed before the provider is called. */
import * as z from 'zod/mini';
import { asOwner, type Database, SERVICE } from '../../platform/database/database.ts';
import type { PaymentsSource } from '../provider/payments-source.ts';

const claimSchema = z.object({
  customer_id: z.nullable(z.string()),
  creating_key: z.string(),
  age_s: z.number(),
  claimed_s: z.number(),
});
const contactSchema = z.object({ email: z.nullable(z.string()), name: z.nullable(z.string()) });
const idRow = z.object({ id: z.string() });
const ticketSchema = z.object({ seq: z.number(), user_id: z.string() });

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface Claim {
  /** Null until the provider has answered. */
  customerId: string | null;
  /** Part of the idempotency key of the creation. */
  creatingKey: string;
  ageS: number;
  /** Epoch seconds, by the database's clock. */
  claimedS: number;
}

export interface Contact {
  email: string | null;
  name: string | null;
}

export interface CustomerStore {
  /**
   * The user's claim in this mode, created if missing. A claim of another mode is replaced by one backdated a day. That
   * forces a lookup at the provider, where this mode may already have a paying customer from before.
   */
  claim(userId: string): Promise<Claim>;
  /** Stores the customer if the claim is unchanged since. @returns the customer id now stored */
  assign(userId: string, creatingKey: string, customerId: string): Promise<string | null>;
  /** Starts a new claim in place of a deleted customer. Does nothing if another claim is already there. */
  renew(userId: string, obsolete: { customerId: string } | { creatingKey: string }): Promise<void>;
  of(userId: string): Promise<string | null>;
  ownerOf(customerId: string): Promise<string | null>;
  /** The next ticket of a customer's sync, with the owner; null for an unknown customer. */
  ticket(customerId: string): Promise<{ seq: number; userId: string } | null>;
  /** For a customer created elsewhere. `no such user` for an invalid id too. */
  adopt(userId: string, customerId: string): Promise<'adopted' | 'other customer' | 'no such user'>;
  contactOf(userId: string): Promise<Contact | null>;
  /** Users whose claims have had no customer id for longer than that. */
  openClaims(olderThanS: number, limit: number): Promise<string[]>;
}

export function customerStore(database: Database, mode: PaymentsSource['mode']): CustomerStore {
  const query = <T extends z.ZodMiniType>(schema: T, text: string, params: readonly unknown[]) =>
    database.query(SERVICE, text, params).then((rows) => z.array(schema).parse(rows));

  return {
    async claim(userId) {
      await database.query(
        SERVICE,
        `insert into public.stripe_customers as c (user_id, mode) values ($1, $2)
         on conflict (user_id) do update
           set mode = excluded.mode, customer_id = null, creating_key = gen_random_uuid(),
               claimed_at = now() - interval '1 day'
         where c.mode <> excluded.mode`,
        [userId, mode],
      );
      const [row] = await query(
        claimSchema,
        `select customer_id, creating_key, extract(epoch from now() - claimed_at)::float8 as age_s,
                extract(epoch from claimed_at)::float8 as claimed_s
           from public.stripe_customers where user_id = $1`,
        [userId],
      );
      // The account was deleted between the two queries.
      if (row === undefined) throw new Error('The claim of a customer was deleted.');
      const { customer_id, creating_key, age_s, claimed_s } = row;
      return { customerId: customer_id, creatingKey: creating_key, ageS: age_s, claimedS: Math.floor(claimed_s) };
    },
    async assign(userId, creatingKey, customerId) {
      await database.query(
        SERVICE,
        `update public.stripe_customers set customer_id = $3
          where user_id = $1 and creating_key = $2 and customer_id is null and mode = $4`,
        [userId, creatingKey, customerId, mode],
      );
      return this.of(userId);
    },
    async renew(userId, obsolete) {
      const condition =
        'customerId' in obsolete ? 'customer_id = $3' : 'customer_id is null and creating_key = $3::uuid';
      await database.query(
        SERVICE,
        `update public.stripe_customers
            set customer_id = null, creating_key = gen_random_uuid(), claimed_at = now()
          where user_id = $1 and mode = $2 and ${condition}`,
        [userId, mode, 'customerId' in obsolete ? obsolete.customerId : obsolete.creatingKey],
      );
    },
    async of(userId) {
      const rows = await query(
        idRow,
        `select customer_id as id from public.stripe_customers
          where user_id = $1 and mode = $2 and customer_id is not null`,
        [userId, mode],
      );
      return rows[0]?.id ?? null;
    },
    async ownerOf(customerId) {
      const rows = await query(
        idRow,
        'select user_id as id from public.stripe_customers where customer_id = $1 and mode = $2',
        [customerId, mode],
      );
      return rows[0]?.id ?? null;
    },
    async ticket(customerId) {
      const rows = await query(
        ticketSchema,
        `update public.stripe_customers set sync_seq = sync_seq + 1
          where customer_id = $1 and mode = $2 returning sync_seq as seq, user_id`,
        [customerId, mode],
      );
      const [row] = rows;
      return row === undefined ? null : { seq: row.seq, userId: row.user_id };
    },
    async adopt(userId, customerId) {
      if (!UUID.test(userId)) return 'no such user';
      const known = await asOwner(database).query('select 1 from auth.users where id = $1', [userId]);
      if (known.length === 0) return 'no such user';
      await this.claim(userId);
      const rows = await query(
        idRow,
        `update public.stripe_customers set customer_id = $2
          where user_id = $1 and mode = $3 and (customer_id is null or customer_id = $2) returning customer_id as id`,
        [userId, customerId, mode],
      );
      return rows.length === 1 ? 'adopted' : 'other customer';
    },
    async contactOf(userId) {
      const rows = await asOwner(database).query(
        `select u.email, p.full_name as name from auth.users u left join public.profiles p on p.id = u.id where u.id = $1`,
        [userId],
      );
      return rows[0] === undefined ? null : contactSchema.parse(rows[0]);
    },
    async openClaims(olderThanS, limit) {
      const rows = await query(
        idRow,
        `select user_id as id from public.stripe_customers
          where customer_id is null and mode = $1 and claimed_at < now() - make_interval(secs => $2)
          order by claimed_at limit $3`,
        [mode, olderThanS, limit],
      );
      return rows.map(({ id }) => id);
    },
  };
}

/** A unique index allows one open slot per user. Only the service role writes them. */
import * as z from 'zod/mini';
import { type Database, SERVICE } from '../../platform/database/database.ts';

export interface CheckoutSlot {
  /** Also the idempotency key of its session. */
  id: string;
  priceId: string;
  /** Null until the provider's response is stored. */
  sessionId: string | null;
  createdAtMs: number;
}

const slotSchema = z.object({
  id: z.string(),
  priceId: z.string(),
  sessionId: z.nullable(z.string()),
  createdAtMs: z.number(),
});

export async function openSlotOf(database: Database, userId: string): Promise<CheckoutSlot | null> {
  const rows = await database.query(
    SERVICE,
    `select id::text as id, price_id as "priceId", session_id as "sessionId",
       (extract(epoch from created_at) * 1000)::float8 as "createdAtMs"
     from public.billing_checkouts where user_id = $1::text::uuid and state = 'open'`,
    [userId],
  );
  return rows[0] === undefined ? null : slotSchema.parse(rows[0]);
}

/** @returns the new slot's id; null when another one is open */
export async function claimSlot(
  database: Database,
  slot: { userId: string; priceId: string; nowIso: string },
): Promise<string | null> {
  const rows = await database.query<{ id: string }>(
    SERVICE,
    `insert into public.billing_checkouts (user_id, price_id, created_at, updated_at)
     values ($1::text::uuid, $2::text, $3::text::timestamptz, $3::text::timestamptz)
     on conflict (user_id) where state = 'open' do nothing returning id::text as id`,
    [slot.userId, slot.priceId, slot.nowIso],
  );
  return rows[0]?.id ?? null;
}

export async function nameSession(
  database: Database,
  slot: { id: string; sessionId: string; nowIso: string },
): Promise<void> {
  await database.query(
    SERVICE,
    `update public.billing_checkouts set session_id = $2::text, updated_at = $3::text::timestamptz
     where id = $1::text::uuid and session_id is null`,
    [slot.id, slot.sessionId, slot.nowIso],
  );
}

/** Changes only an open slot, so the first outcome wins. */
export async function closeSlot(
  database: Database,
  slot: { id: string; state: 'complete' | 'expired'; nowIso: string },
): Promise<void> {
  await database.query(
    SERVICE,
    `update public.billing_checkouts set state = $2::text, updated_at = $3::text::timestamptz
     where id = $1::text::uuid and state = 'open'`,
    [slot.id, slot.state, slot.nowIso],
  );
}

/** Like closeSlot, by session; does nothing for a session that isn't ours. */
export async function closeSession(
  database: Database,
  session: { sessionId: string; state: 'complete' | 'expired'; nowIso: string },
): Promise<void> {
  await database.query(
    SERVICE,
    `update public.billing_checkouts set state = $2::text, updated_at = $3::text::timestamptz
     where session_id = $1::text and state = 'open'`,
    [session.sessionId, session.state, session.nowIso],
  );
}

const overdueSchema = z.object({ id: z.string(), sessionId: z.nullable(z.string()) });

/** @returns those older than `olderThanS`, oldest first; `sessionId` is null if the provider never answered */
export async function overdueCheckouts(
  database: Database,
  limits: { olderThanS: number; count: number; nowIso: string },
): Promise<{ id: string; sessionId: string | null }[]> {
  const rows = await database.query(
    SERVICE,
    `select id::text as id, session_id as "sessionId" from public.billing_checkouts
      where state = 'open' and created_at < $1::text::timestamptz - make_interval(secs => $2)
      order by created_at limit $3`,
    [limits.nowIso, limits.olderThanS, limits.count],
  );
  return z.array(overdueSchema).parse(rows);
}

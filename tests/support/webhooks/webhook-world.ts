/** Endpoints and events written directly into a database, for the queue of webhooks and its worker. */
import { randomUUID } from 'node:crypto';
import { type Database, OWNER } from '../../../server/platform/database/database.ts';
import { newWebhookSecret } from '../../../server/webhooks/webhook-signature.ts';
import { createDatabaseUser } from '../database/database-users.ts';

export interface TestEndpoint {
  id: string;
  userId: string;
  secret: string;
}

export async function addTestEndpoint(database: Database, url: string): Promise<TestEndpoint> {
  const email = `${randomUUID()}@example.com`;
  const { id: userId } = await createDatabaseUser(database, email);
  await database.query(OWNER, 'update auth.users set email_confirmed_at = now() where id = $1::text::uuid', [userId]);
  const secret = newWebhookSecret();
  const [row] = await database.query<{ id: string }>(
    OWNER,
    `insert into public.webhook_endpoints (user_id, url, events, secret)
     values ($1::text::uuid, $2::text, '{prediction.created}', $3::text) returning id::text as id`,
    [userId, url, secret],
  );
  if (row === undefined) throw new Error('no endpoint was made');
  return { id: row.id, userId, secret };
}

/** As the triggers write events. @returns the events' ids, in their order */
export async function addEvents(database: Database, userId: string, nowMs: number, count = 1): Promise<string[]> {
  const facts = {
    id: randomUUID(),
    sym: 'BTCUSDT.P',
    model: 'kat1',
    timeframe: '1min',
    market: 'simulated',
    joinS: 60,
    savedAt: new Date(nowMs).toISOString(),
  };
  const rows = await database.query<{ id: string }>(
    OWNER,
    `with written as (
       insert into private.webhook_events (user_id, event, facts, created_at)
       select $1::text::uuid, 'prediction.created', $2::text::jsonb, $3::text::timestamptz from generate_series(1, $4::int)
       returning id, event_id)
     select w.event_id::text as id, pg_notify('kat_webhooks', '') from written w order by w.id`,
    [userId, JSON.stringify(facts), new Date(nowMs).toISOString(), count],
  );
  return rows.map(({ id }) => id);
}

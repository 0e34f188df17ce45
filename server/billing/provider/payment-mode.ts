import { SettingsRefused } from '../../platform/config/config.ts';
import { type Database, SERVICE } from '../../platform/database/database.ts';
import type { PaymentsSource } from './payments-source.ts';

/**
 * @returns the previous mode
 * @throws SettingsRefused if that was live and has paying subscriptions, which would all lose their plans
 */
export async function setPaymentMode(database: Database, mode: PaymentsSource['mode']): Promise<string> {
  const rows = await database.query<{ before: string; is_refused: boolean }>(
    SERVICE,
    `with before as (
       select m.mode, m.mode = 'live' and $1::text <> 'live' and exists (
         select 1 from public.stripe_customers c
           join public.stripe_subscriptions s on s.customer_id = c.customer_id
          where c.mode = 'live' and s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')) as is_refused
         from private.payment_mode m),
     written as (
       update private.payment_mode m set mode = $1::text from before b where not b.is_refused)
     select mode as before, is_refused from before`,
    [mode],
  );
  const [row] = rows;
  if (row?.is_refused === true)
    throw new SettingsRefused(
      `This database contains live subscriptions, and a server that takes payments in mode ${mode} would hide them. Start it with the live keys or PAYMENTS=off, or use another database.`,
    );
  return row?.before ?? mode;
}

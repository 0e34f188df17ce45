/** Which mode's customers count: the one of the server that started last. */
import { type Database, SERVICE } from '../platform/database.ts';
import type { PaymentsSource } from './payments-source.ts';

/** @returns the mode before */
export async function setPaymentMode(database: Database, mode: PaymentsSource['mode']): Promise<string> {
  const rows = await database.query<{ before: string }>(
    SERVICE,
    `with before as (select mode from private.payment_mode)
     update private.payment_mode m set mode = $1 from before b returning b.mode as before`,
    [mode],
  );
  return rows[0]?.before ?? mode;
}

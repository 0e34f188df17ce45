/** Acknowledges a billing alarm and writes its row of the audit log: both or neither. */
import { type Database, OWNER } from '../../platform/database/database.ts';

/** @returns false if no such alarm is open */
export function acknowledgeAlarm(database: Database, alarmId: string, adminId: string): Promise<boolean> {
  return database.transaction(OWNER, async (tx) => {
    const rows = await tx.query(
      `with seen as (
         update public.billing_alarms set acknowledged_at = now()
          where id = $1::text::uuid and acknowledged_at is null returning id, kind, subject, count)
       select private.write_audit('alarm.acknowledge', id::text,
                jsonb_build_object('kind', kind, 'subject', subject, 'count', count), $2::text::uuid)
         from seen`,
      [alarmId, adminId],
    );
    return rows.length === 1;
  });
}

/** For admins: the site's state and problems (domain/operations/operations-state.ts), and closing a billing alarm. */
import type { OPERATIONS_FUNCTIONS } from '#domain/contract/admin-functions.ts';
import { attentionOf } from '#domain/operations/attention.ts';
import { type Database, OWNER } from '../platform/database/database.ts';
import type { FunctionHandlers } from '../platform/http/calls/server-function.ts';
import type { OperationsDeps } from './operations-deps.ts';

export function operationsHandlers({
  database,
  snapshot,
}: OperationsDeps): FunctionHandlers<typeof OPERATIONS_FUNCTIONS> {
  return {
    async 'operations-state'() {
      const facts = await snapshot();
      return { ...facts, attention: attentionOf(facts) };
    },
    async 'operations-acknowledge-alarm'({ body, caller }) {
      const isNew = await acknowledgeAlarm(database, body.id, caller.userId);
      return isNew ? {} : { already_done: true };
    },
  };
}

/** @returns false if no such alarm is open */
function acknowledgeAlarm(database: Database, alarmId: string, adminId: string): Promise<boolean> {
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

/** For admins: the site's state and problems (domain/operations/operations-state.ts), and closing a billing alarm. */
import * as z from 'zod/mini';
import { attentionOf } from '#domain/operations/attention.ts';
import type { OperationsState } from '#domain/operations/operations-state.ts';
import { requireAdmin } from '../billing/entitlements.ts';
import { type Database, OWNER } from '../platform/database/database.ts';
import { type ServerFunction, serverFunction } from '../platform/http/calls/server-function.ts';
import type { OperationsDeps } from './operations-deps.ts';

export function operationsState({ entitlements, snapshot }: OperationsDeps): ServerFunction {
  return serverFunction({
    name: 'operations-state',
    body: z.unknown(),
    async handle({ caller }) {
      await requireAdmin(entitlements, caller);
      const facts = await snapshot();
      return { ok: true, ...facts, attention: attentionOf(facts) } satisfies OperationsState;
    },
  });
}

/** Answers `{ok: true}`, with `already_done: true` if no such alarm is open. */
export function acknowledgeAlarmFunction({ entitlements, database }: OperationsDeps): ServerFunction {
  return serverFunction({
    name: 'operations-acknowledge-alarm',
    body: z.object({ id: z.uuid() }),
    async handle({ body, caller }) {
      await requireAdmin(entitlements, caller);
      const isNew = await acknowledgeAlarm(database, body.id, caller.userId);
      return { ok: true, ...(isNew ? {} : { already_done: true }) };
    },
  });
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

/** operations-acknowledge-alarm: an admin closes a billing alarm. It opens again if the problem recurs. */
import * as z from 'zod/mini';
import { requireAdmin } from '../../billing/entitlements.ts';
import { type ServerFunction, serverFunction } from '../../platform/http/calls/server-function.ts';
import type { OperationsDeps } from '../operations-deps.ts';
import { acknowledgeAlarm } from '../stores/alarm-acknowledgement-store.ts';

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

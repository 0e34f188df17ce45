/** Requests of the operator's view; the server decides who is an admin. */
import * as z from 'zod/mini';
import { doneSchema } from '#domain/contract/function-contract.ts';
import { type OperationsState, operationsStateSchema } from '#domain/operations/operations-state.ts';
import { CallError } from '../../platform/calls/call-error.ts';
import { callFunction, callTypedFunction } from '../../platform/calls/functions.ts';
import { serverMessage } from '../../platform/calls/server-message.ts';
import { inTime } from '../../platform/calls/time-limit.ts';
import { type Tables, tables } from '../../platform/supabase.ts';

const groupSchema = z.object({
  fingerprint: z.string(),
  message: z.string(),
  count: z.number(),
  users: z.number(),
  first_at: z.string(),
  last_at: z.string(),
  page: z.nullable(z.string()),
  component: z.nullable(z.string()),
  is_partial: z.boolean(),
});
export type ErrorGroup = z.infer<typeof groupSchema>;

const reportSchema = z.object({
  id: z.number(),
  received_at: z.string(),
  message: z.string(),
  stack: z.nullable(z.string()),
  page: z.nullable(z.string()),
  component: z.nullable(z.string()),
  context: z.unknown(),
  user_id: z.nullable(z.string()),
});
export type ErrorReport = z.infer<typeof reportSchema>;

const auditSchema = z.object({
  id: z.number(),
  at: z.string(),
  actor_id: z.nullable(z.string()),
  actor_email: z.nullable(z.string()),
  action: z.string(),
  subject: z.nullable(z.string()),
  details: z.record(z.string(), z.unknown()),
});
export type AuditRow = z.infer<typeof auditSchema>;

export const STATE_FAILED = 'We couldn’t load the site’s status';
const ERRORS_FAILED = 'We couldn’t load the errors';
const AUDIT_FAILED = 'We couldn’t load the audit trail';

/** @throws CallError; DOMException if there is no answer in time */
export async function fetchOperations(signal: AbortSignal): Promise<OperationsState> {
  const answer = operationsStateSchema.safeParse(await inTime(signal, () => callFunction('operations-state', {})));
  if (!answer.success) throw new CallError('operations', STATE_FAILED, 200, answer.error);
  return answer.data;
}

export async function acknowledgeAlarm(id: string): Promise<void> {
  await callTypedFunction('operations-acknowledge-alarm', { id }, doneSchema);
}

/** The latest first. @param hours  how far back, at most 90 days. @throws CallError */
export function fetchErrorGroups(search: string, hours: number, signal: AbortSignal): Promise<ErrorGroup[]> {
  const parameters = { p_search: search === '' ? null : search, p_hours: hours };
  return fetchRows(ERRORS_FAILED, groupSchema, signal, (client, limited) =>
    client.rpc('admin_error_groups', parameters).abortSignal(limited),
  );
}

export function fetchErrorReports(fingerprint: string, signal: AbortSignal): Promise<ErrorReport[]> {
  return fetchRows(ERRORS_FAILED, reportSchema, signal, (client, limited) =>
    client.rpc('admin_errors', { p_fingerprint: fingerprint }).abortSignal(limited),
  );
}

/** The newest first. @throws CallError */
export function fetchAudit(signal: AbortSignal): Promise<AuditRow[]> {
  return fetchRows(AUDIT_FAILED, auditSchema, signal, (client, limited) =>
    client.rpc('admin_audit_log').abortSignal(limited),
  );
}

interface Answer {
  data: unknown;
  error: { message: string; code: string } | null;
  status: number;
}

async function fetchRows<Row extends z.ZodMiniType>(
  failed: string,
  schema: Row,
  signal: AbortSignal,
  call: (client: Tables, limited: AbortSignal) => PromiseLike<Answer>,
): Promise<z.output<Row>[]> {
  const { data, error, status } = await inTime(signal, async (limited) => call(await tables(), limited));
  if (error !== null) throw new CallError('operations', serverMessage(error, failed), status, error);
  const rows = z.array(schema).safeParse(data);
  if (!rows.success) throw new CallError('operations', failed, status, rows.error);
  return rows.data;
}

import * as z from 'zod/mini';
import { type AlertList, alertListSchema } from '#domain/alerts/alert.ts';
import { type AlertRule, alertRuleSchema } from '#domain/alerts/alert-rule.ts';
import type { SaveAlertRule } from '#domain/alerts/save-alert-rule.ts';
import { CallError } from '../../platform/calls/call-error.ts';
import { callAction, callTypedFunction } from '../../platform/calls/functions.ts';
import { tables } from '../../platform/supabase.ts';

/** @param after  returns only newer alerts; rules always come complete. @throws CallError, DOMException on timeout */
export function fetchAlerts(after: number | null, signal: AbortSignal): Promise<AlertList> {
  return callTypedFunction('list-alerts', after === null ? {} : { after }, alertListSchema, signal);
}

/** Replaces a rule with the same subject. @throws CallError, whose `code` is the server's reason */
export async function saveAlertRule(rule: SaveAlertRule): Promise<AlertRule> {
  return (await callTypedFunction('save-alert-rule', rule, z.object({ ok: z.literal(true), rule: alertRuleSchema })))
    .rule;
}

/** Removing an already removed rule counts as success. @throws CallError */
export async function removeAlertRule(id: string): Promise<void> {
  try {
    await callAction('remove-alert-rule', { id });
  } catch (error) {
    if (error instanceof CallError && error.code === 'alerts/no-such-rule') return;
    throw error;
  }
}

/** @param upTo  id of the newest alert that was seen. @throws CallError */
export async function readAlerts(upTo: number): Promise<void> {
  await callAction('read-alerts', { upTo });
}

/** Whether any of the user's devices receives notifications. @throws Error */
export async function fetchHasDevice(): Promise<boolean> {
  const { data, error } = await (await tables()).from('push_subscriptions').select('id').limit(1);
  if (error !== null) throw new Error(error.message, { cause: error });
  return data.length > 0;
}

/** Why a change failed: the server's own message if it refused. */
export function failureMessage(error: unknown): string {
  const isRefusal = error instanceof CallError && error.code !== 'network';
  return isRefusal ? error.message : 'We couldn’t reach the server. Your alerts haven’t changed.';
}

import * as z from 'zod/mini';
import { CallError } from '../../../platform/calls/call-error.ts';
import { callAction, callTypedFunction } from '../../../platform/calls/functions.ts';
import { reportError } from '../../../platform/error-log.ts';
import { keepPushHere } from '../../../platform/push.ts';
import { supabase } from '../../../platform/supabase.ts';

const sessionsSchema = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      created_at: z.iso.datetime({ offset: true }),
      last_used_at: z.iso.datetime({ offset: true }),
      user_agent: z.nullable(z.string()),
      ip: z.nullable(z.string()),
      is_current: z.boolean(),
    }),
  ),
});

export interface Device {
  id: string;
  signedInAtMs: number;
  /** Rounded to the hour: a device in use reports about once an hour. */
  lastUsedAtMs: number;
  userAgent: string | null;
  ip: string | null;
  isCurrent: boolean;
}

/** This device first, then the most recently used. @throws CallError */
export async function fetchDevices(signal: AbortSignal): Promise<Device[]> {
  const { sessions } = await callTypedFunction('list-sessions', {}, sessionsSchema, signal);
  const devices = sessions.map((session) => ({
    id: session.id,
    signedInAtMs: Date.parse(session.created_at),
    lastUsedAtMs: Date.parse(session.last_used_at),
    userAgent: session.user_agent,
    ip: session.ip,
    isCurrent: session.is_current,
  }));
  return devices.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}

/** Ending an already ended session counts as success. @throws CallError */
export async function endDevice(id: string): Promise<void> {
  try {
    await callAction('end-session', { session_id: id });
  } catch (error) {
    if (error instanceof CallError && error.code === 'account/no-such-session') return;
    reportError(error, { where: 'sign out a device' });
    throw error;
  }
}

/** All but this one. @throws AuthError */
export async function endOtherDevices(): Promise<void> {
  try {
    const { error } = await (await supabase()).auth.signOut({ scope: 'others' });
    if (error !== null) throw error;
    await keepPushHere();
  } catch (error) {
    reportError(error, { where: 'sign out other devices' });
    throw error;
  }
}

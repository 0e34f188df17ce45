import * as z from 'zod/mini';
import {
  pushDeviceRowSchema,
  type SavePushSubscription,
  savedPushSubscriptionSchema,
} from '#domain/push/push-subscription.ts';
import { CallError } from '../../platform/calls/call-error.ts';
import { callAction, callTypedFunction } from '../../platform/calls/functions.ts';
import { inFixedTime, inTime } from '../../platform/calls/time-limit.ts';
import { reportError } from '../../platform/error-log.ts';
import {
  type PushHere,
  type PushOn,
  pushHere,
  requestPermission,
  subscribeHere,
  unsubscribeHere,
} from '../../platform/push.ts';
import { supabase } from '../../platform/supabase.ts';

export type { PushObstacle, PushOn } from '../../platform/push.ts';

export interface PushDevice {
  id: string;
  label: string;
  createdAtMs: number;
  /** Null if never used. */
  lastUsedAtMs: number | null;
  isHere: boolean;
}

export interface PushState {
  here: PushHere;
  /** Oldest first. */
  devices: readonly PushDevice[];
}

/** @throws Error, also if there is no answer in time */
export function fetchPush(userId: string, signal: AbortSignal): Promise<PushState> {
  return inTime(signal, async (limited) => {
    const [here, { data, error }] = await Promise.all([
      pushHere(),
      (await supabase())
        .from('push_subscriptions')
        .select('id,endpoint_hash,device,created_at,last_used_at')
        .eq('user_id', userId)
        .order('created_at')
        .retry(false)
        .abortSignal(limited),
    ]);
    if (error) throw new Error(`Devices with notifications: ${error.message}`, { cause: error });
    const hash = here.state === 'possible' ? here.endpointHash : null;
    const devices = z.array(pushDeviceRowSchema).parse(data);
    return { here, devices: devices.map((row) => toDevice(row, hash)) };
  });
}

function toDevice(row: z.infer<typeof pushDeviceRowSchema>, hash: string | null): PushDevice {
  return {
    id: row.id,
    label: row.device,
    createdAtMs: Date.parse(row.created_at),
    lastUsedAtMs: row.last_used_at === null ? null : Date.parse(row.last_used_at),
    isHere: row.endpoint_hash === hash,
  };
}

/** `dismissed`: the user closed the browser's prompt without a choice. `failure` is a message for the user. */
export type TurnedOn = 'on' | 'blocked' | 'dismissed' | { failure: string };

/** Call only from a click. */
export async function turnOn(config: PushOn): Promise<TurnedOn> {
  const permission = await requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'dismissed';
  let subscription: SavePushSubscription;
  try {
    subscription = await inFixedTime(new AbortController().signal, () => subscribeHere(config));
  } catch (error) {
    reportError(error, { where: 'subscribe to notifications' });
    await unsubscribeHere().catch(() => undefined); // Nothing was turned on: there may be nothing to undo.
    return {
      failure: 'Your browser’s push service didn’t respond. Some browsers have none, or it is switched off there.',
    };
  }
  try {
    await callTypedFunction('save-push-subscription', subscription, savedPushSubscriptionSchema);
    return 'on';
  } catch (error) {
    await unsubscribeHere().catch(() => undefined); // The next try replaces any remains in the browser.
    return { failure: failureMessage(error, 'turn on notifications') };
  }
}

/** @returns the failure, or null once it is off. A device that is already removed counts as off */
export async function turnOff(device: PushDevice): Promise<string | null> {
  try {
    await callAction('remove-push-subscription', { id: device.id });
  } catch (error) {
    if (!(error instanceof CallError && error.code === 'push/no-such-device'))
      return failureMessage(error, 'turn off notifications');
  }
  // The server sends no more notifications, even if this fails.
  if (device.isHere) await unsubscribeHere().catch((error: unknown) => reportError(error, { where: 'unsubscribe' }));
  return null;
}

/** @returns the failure, or null once it was sent */
export async function sendTest(id: string): Promise<string | null> {
  try {
    await callTypedFunction('send-test-push', { id }, z.object({ ok: z.literal(true) }));
    return null;
  } catch (error) {
    return failureMessage(error, 'send a test notification');
  }
}

function failureMessage(error: unknown, where: string): string {
  reportError(error, { where });
  if (!(error instanceof CallError)) return 'The server didn’t respond in time. Please try again.';
  if (error.code === 'request/too-many') return 'You tried that too often. Please wait a few minutes.';
  return error.code.startsWith('push/') ? error.message : 'We couldn’t reach the server. Please try again.';
}

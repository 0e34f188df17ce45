/** A browser subscribed to notifications: as the page registers it, and as its owner sees it. */
import * as z from 'zod/mini';
import { isPlainText } from '../account/plain-text.ts';

export const MOST_PUSH_DEVICES = 10;
const MAX_DEVICE = 60;
/** Longer than any push service's endpoint; Microsoft's have some 700 characters. */
export const MAX_ENDPOINT = 1000;

const endpoint = z.url().check(z.maxLength(MAX_ENDPOINT));
/** 16 bytes. */
const auth = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/));
const keys = z.strictObject({
  /** Uncompressed point on P-256: 65 bytes. */
  p256dh: z.string().check(z.regex(/^[A-Za-z0-9_-]{87}$/)),
  auth,
});

/** Body of save-push-subscription: the result of `PushSubscription.toJSON()`, and the device's name. */
export const savePushSubscriptionSchema = z.strictObject({
  endpoint,
  keys,
  device: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_DEVICE), z.refine(isPlainText)),
});
export type SavePushSubscription = z.infer<typeof savePushSubscriptionSchema>;

/** Body of POST /push/renewals. */
export const renewPushSubscriptionSchema = z.strictObject({
  former: z.strictObject({ endpoint, auth }),
  next: z.strictObject({ endpoint, keys }),
});
export type RenewPushSubscription = z.infer<typeof renewPushSubscriptionSchema>;

export const removePushSubscriptionSchema = z.strictObject({ id: z.guid() });
export const sendTestPushSchema = z.strictObject({ id: z.guid() });

/** A row of push_subscriptions as its owner sees it; times are ISO 8601. */
export const pushDeviceRowSchema = z.object({
  id: z.guid(),
  /** SHA-256 in hex, by which a browser recognizes its own row. */
  endpoint_hash: z.string(),
  device: z.string(),
  created_at: z.string(),
  last_used_at: z.nullable(z.string()),
});

/** Response of save-push-subscription. */
export const savedPushSubscriptionSchema = z.object({ ok: z.literal(true), id: z.guid() });

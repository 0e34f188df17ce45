/** Payload of a notification, encrypted for one browser; web/public/push-worker.js reads these names. */
import * as z from 'zod/mini';

export const pushMessageSchema = z.object({
  /** Sending the same id again replaces the notification. */
  id: z.string(),
  title: z.string(),
  text: z.string(),
  path: z.string(),
});
export type PushMessage = z.infer<typeof pushMessageSchema>;

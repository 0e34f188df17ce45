/** What a notification carries, encrypted for one browser: the worker in it (web/public/push-worker.js) reads these names. */
import * as z from 'zod/mini';

export const pushMessageSchema = z.object({
  /** The same message sent twice replaces itself. */
  id: z.string(),
  title: z.string(),
  text: z.string(),
  /** Of our own site, from the slash on. */
  path: z.string(),
});
export type PushMessage = z.infer<typeof pushMessageSchema>;

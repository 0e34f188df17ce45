/** Separate from the other settings, because only one panel uses them and every page loads those. */
import * as z from 'zod/mini';

export const pushConfigSchema = z.object({
  /** Null: this site sends no notifications. */
  push: z.nullable(
    z.object({
      /** `sandbox`: our sandbox receives them, and none leaves the machine. */
      kind: z.enum(['live', 'sandbox']),
      /** Key with which a browser subscribes (RFC 8292): base64url of an uncompressed P-256 point. */
      publicKey: z.string(),
    }),
  ),
});
export type PushConfig = z.infer<typeof pushConfigSchema>['push'];

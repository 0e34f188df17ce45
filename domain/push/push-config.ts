/**
 * What /config.json says of push. Apart from the rest of the settings (domain/config), since one panel alone reads it and
 * every page loads those.
 */
import * as z from 'zod/mini';

export const pushConfigSchema = z.object({
  /** Null: nobody sends notifications here. */
  push: z.nullable(
    z.object({
      /** `sandbox`: a stand-in of ours takes them, and none leaves the machine. */
      kind: z.enum(['live', 'sandbox']),
      /** With which a browser subscribes (RFC 8292): base64url of an uncompressed P-256 point. */
      publicKey: z.string(),
    }),
  ),
});
export type PushConfig = z.infer<typeof pushConfigSchema>['push'];

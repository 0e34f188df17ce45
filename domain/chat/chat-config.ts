/** Separate from the other settings, because only one panel uses them and every page loads those. */
import * as z from 'zod/mini';

/** `sandbox`: simulated on this machine. Null: the service is not offered. */
const source = z.nullable(z.enum(['live', 'sandbox']));

export const chatConfigSchema = z.object({ chat: z.object({ telegram: source, discord: source }) });
export type ChatConfig = z.infer<typeof chatConfigSchema>['chat'];

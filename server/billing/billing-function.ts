/**
 * A billing function. A refusal by a product rule is sent as 200, with its message under both names that clients read
 * (`error` and `reason`), because the client library hides the bodies of all other statuses. Invalid calls and provider
 * failures keep their status.
 */
import type * as z from 'zod/mini';
import { type ErrorCode, isAppError } from '#domain/errors/app-error.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import {
  type FunctionAnswer,
  type FunctionCall,
  type ServerFunction,
  serverFunction,
} from '../platform/http/calls/server-function.ts';

const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'billing/unknown-price',
  'billing/already-subscribed',
  'billing/no-such-subscription',
  'billing/subscription-ended',
  'billing/subscription-replaced',
  'billing/cancellation-pending',
  'billing/not-in-order',
  'billing/no-such-checkout',
  'billing/not-previewable',
  'billing/busy',
]);

/** Bodies hold only URLs and ids. */
const MAX_BYTES = 16 * 1024;

export function billingFunction<Schema extends z.ZodMiniType>(options: {
  name: string;
  body: Schema;
  handle(call: Omit<FunctionCall, 'body'> & { body: z.output<Schema> }): Promise<FunctionAnswer>;
}): ServerFunction {
  return serverFunction({
    name: options.name,
    body: options.body,
    maxBytes: MAX_BYTES,
    async handle(call) {
      try {
        return await options.handle(call);
      } catch (error) {
        if (!isAppError(error) || !REFUSALS.has(error.code)) throw error;
        const sentence = MESSAGES[error.code];
        return { ok: false, error: sentence, reason: sentence, code: error.code };
      }
    },
  });
}

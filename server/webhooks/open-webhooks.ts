/** Signed webhooks: users' endpoints, and the worker that delivers to them. docs/decisions/078-webhooks.md */
import type { Core } from '../core.ts';
import type { ServerFunction } from '../platform/http/calls/server-function.ts';
import type { MailBrand } from '../platform/mail/mail-layout.ts';
import { guardedPost } from '../platform/outbound/guarded-post.ts';
import type { QueueWorkerDeps } from '../platform/queues/queue-worker.ts';
import { webhookFunctions } from './webhook-functions.ts';
import { ANSWER_LENGTH, POST_LIMIT_MS, startWebhookWorker } from './webhook-worker.ts';

export interface WebhookDeps extends Core, Pick<QueueWorkerDeps, 'pollMs'> {
  /** Base address of the sandbox's receiver, without a trailing slash; null: public addresses only. */
  sandboxUrl: string | null;
  brand: MailBrand;
  /** The site's origin, read when an event is written. */
  siteUrl(): string;
  /** False: there is no mail transport. */
  sendsMails: boolean;
}

export interface Webhooks {
  functions: readonly ServerFunction[];
  close(): Promise<void>;
}

export async function openWebhooks(deps: WebhookDeps): Promise<Webhooks> {
  const { sandboxUrl, brand, siteUrl } = deps;
  const post = guardedPost({ sandboxUrl, timeoutMs: POST_LIMIT_MS, startLength: ANSWER_LENGTH });
  const worker = await startWebhookWorker({ ...deps, post, mail: { brand, siteUrl } });
  return { functions: webhookFunctions(deps), close: () => worker.close() };
}

/** Predictions left, as the server counts them. */
import { type Quota, quotaAnswerSchema, readQuota } from '#domain/forecast/quota.ts';
import { callFunction } from '../../platform/functions.ts';

/** @throws Error with the server's reason when it refuses to say */
export async function fetchQuota(): Promise<Quota> {
  const answer = quotaAnswerSchema.parse(await callFunction('get-quota', undefined));
  if (!answer.ok) throw new Error(answer.reason ?? 'The quota is not available.');
  return readQuota(answer);
}

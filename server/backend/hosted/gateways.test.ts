import { expect, test, vi } from 'vitest';
import { createLogger } from '../../platform/telemetry/log.ts';
import { RestError } from '../rest/rest-error.ts';
import type { ForwardDeps, ForwardLimits } from './forward.ts';
import { restGateway } from './gateways.ts';

test.each([
  ['does not log', 415, 0],
  ['logs', 500, 1],
])("%s a refused report of status %i as the site's fault", async (_what, status, logged) => {
  const log = createLogger('silent');
  const error = vi.spyOn(log, 'error');
  const budgets = {
    admitReport: () => Promise.reject(new RestError(status, 'PGRST102', 'refused')),
    admitUpload: () => Promise.reject(new Error('not called here')),
  };
  // The report is refused before anything is forwarded.
  const gateway = restGateway({} as ForwardDeps, { maxBodyBytes: 1000 } as ForwardLimits, budgets, log);

  const answer = await gateway.request('/rest/v1/error_logs', { method: 'POST', body: 'error_message' });

  expect(answer.status).toBe(status);
  expect(error).toHaveBeenCalledTimes(logged);
});

/** The server's public settings, fetched once per page load. */
import type { PublicConfig } from '#domain/config/public-config.ts';
import { pageState } from '../page-state.ts';
import { retryingFetch } from './calls/shed-retry.ts';
import { CALL_LIMIT_MS } from './calls/time-limit.ts';

const settings = pageState<{ loading: Promise<PublicConfig> | null }>(() => ({ loading: null }));

/**
 * All callers share one request; a failed one is dropped so that Retry can succeed.
 * @throws Error if the server does not answer or the answer is invalid
 */
export function publicConfig(): Promise<PublicConfig> {
  const page = settings();
  page.loading ??= fetchConfig().catch((error: unknown) => {
    page.loading = null;
    throw error;
  });
  return page.loading;
}

async function fetchConfig(): Promise<PublicConfig> {
  // The schema loads with the answer: no page needs its code to draw.
  const [response, { publicConfigSchema }] = await Promise.all([
    retryingFetch('/config.json', {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(CALL_LIMIT_MS),
    }),
    import('#domain/config/public-config.ts'),
  ]);
  if (!response.ok) throw new Error(`We couldn’t load the settings (${response.status}).`);
  return publicConfigSchema.parse(await response.json());
}

/** The operator's links, contact and donation addresses: GET /site.json, once per page load. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { SiteSettings } from '#domain/site/site-settings.ts';
import { retryingFetch } from '../platform/calls/shed-retry.ts';
import { inTime } from '../platform/calls/time-limit.ts';

const SITE_SETTINGS = queryOptions({
  queryKey: ['site-settings'],
  queryFn: fetchSiteSettings,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Null until known, and if the server has none. */
export function useSiteSettings(): SiteSettings | null {
  return useQuery(SITE_SETTINGS).data ?? null;
}

export interface SiteSettingsState {
  settings: SiteSettings | null;
  hasFailed: boolean;
  isRetrying: boolean;
  retry(): void;
}

/** The same for widgets that need the settings: it reports failures and can retry. */
export function useSiteSettingsState(): SiteSettingsState {
  const { data = null, isError, isFetching, refetch } = useQuery(SITE_SETTINGS);
  return { settings: data, hasFailed: isError, isRetrying: isFetching, retry: () => void refetch() };
}

async function fetchSiteSettings({ signal }: { signal: AbortSignal }): Promise<SiteSettings> {
  // The schema loads with the answer: no page needs its code to draw.
  const check = import('#domain/site/site-settings.ts');
  return inTime(signal, async (limited) => {
    const response = await retryingFetch('/site.json', { signal: limited, headers: { accept: 'application/json' } });
    if (!response.ok) throw new Error(`We couldn’t load the site’s settings (${response.status}).`);
    return (await check).siteSettingsSchema.parse(await response.json());
  });
}

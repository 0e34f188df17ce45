/** Links, contact and donations of whoever runs the site: GET /site.json, once a page load. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { SiteSettings } from '#domain/site/site-settings.ts';
import { retryingFetch } from '../platform/calls/shed-retry.ts';
import { inTime } from '../platform/calls/time-limit.ts';

const SITE_SETTINGS = queryOptions({
  queryKey: ['site-settings'],
  queryFn: fetchSiteSettings,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Null while it is not known, and where the server does not say. */
export function useSiteSettings(): SiteSettings | null {
  return useQuery(SITE_SETTINGS).data ?? null;
}

export interface SiteSettingsState {
  settings: SiteSettings | null;
  /** It was asked for, and did not come. */
  hasFailed: boolean;
  isRetrying: boolean;
  retry(): void;
}

/** The same for what is nothing without them: it says so, and tries again. */
export function useSiteSettingsState(): SiteSettingsState {
  const { data = null, isError, isFetching, refetch } = useQuery(SITE_SETTINGS);
  return { settings: data, hasFailed: isError, isRetrying: isFetching, retry: () => void refetch() };
}

async function fetchSiteSettings({ signal }: { signal: AbortSignal }): Promise<SiteSettings> {
  // The check comes with the answer: its code is not needed to draw a page.
  const check = import('#domain/site/site-settings.ts');
  return inTime(signal, async (limited) => {
    const response = await retryingFetch('/site.json', { signal: limited, headers: { accept: 'application/json' } });
    if (!response.ok) throw new Error(`The site's settings could not be loaded (${response.status}).`);
    return (await check).siteSettingsSchema.parse(await response.json());
  });
}

/** The server's public settings, fetched once a page load. */
import { type PublicConfig, publicConfigSchema } from '#domain/config/public-config.ts';

let loading: Promise<PublicConfig> | null = null;

/**
 * GET /config.json, checked. Everyone shares one request; a failed one is forgotten so that Retry can succeed.
 * @throws Error when the server does not answer or answers something else
 */
export function publicConfig(): Promise<PublicConfig> {
  loading ??= fetchConfig().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function fetchConfig(): Promise<PublicConfig> {
  const response = await fetch('/config.json', { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`The settings could not be loaded (${response.status}).`);
  return publicConfigSchema.parse(await response.json());
}

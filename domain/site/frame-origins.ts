/** Origins that our pages may frame: a research document or embedded player that the operator hosts elsewhere. */
import type { SiteSettings } from './site-settings.ts';

/** Accepts only a plain host and port: anything else could change a header's meaning. */
const PLAIN_ORIGIN = /^https:\/\/[a-z0-9.-]+(:\d+)?(?=[/?#]|$)/i;

export function frameOrigins({
  researchUrl,
  modelsVideo,
}: Pick<SiteSettings, 'researchUrl' | 'modelsVideo'>): string[] {
  const addresses = modelsVideo.kind === 'embed' ? [researchUrl, modelsVideo.url] : [researchUrl];
  return [...new Set(addresses.flatMap((address) => frameOrigin(address) ?? []))];
}

/** Origin of an https address; null when no header can name it, so no page of ours can frame it. */
export function frameOrigin(address: string): string | null {
  return PLAIN_ORIGIN.exec(address)?.[0].toLowerCase() ?? null;
}

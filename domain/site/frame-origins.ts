/** Whose documents our pages may frame: the research document and the embedded player, where the operator named some elsewhere. */
import type { SiteSettings } from './site-settings.ts';

/** A plain host and port alone: anything else would have a meaning of its own in a header. */
const PLAIN_ORIGIN = /^https:\/\/[a-z0-9.-]+(:\d+)?(?=[/?#]|$)/i;

export function frameOrigins({
  researchUrl,
  modelsVideo,
}: Pick<SiteSettings, 'researchUrl' | 'modelsVideo'>): string[] {
  const addresses = modelsVideo.kind === 'embed' ? [researchUrl, modelsVideo.url] : [researchUrl];
  return [...new Set(addresses.flatMap((address) => frameOrigin(address) ?? []))];
}

/** Of an https address; null: no header can name it, so no page of ours can frame it. */
export function frameOrigin(address: string): string | null {
  return PLAIN_ORIGIN.exec(address)?.[0].toLowerCase() ?? null;
}

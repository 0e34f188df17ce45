/** Whose documents our pages may frame: the research document and the embedded player, where the operator named some elsewhere. */
import type { SiteSettings } from './site-settings.ts';

/** A plain host and port alone: anything else would have a meaning of its own in a header. */
const PLAIN_ORIGIN = /^https:\/\/[a-z0-9.-]+(:\d+)?$/;

export function frameOrigins({
  researchUrl,
  modelsVideo,
}: Pick<SiteSettings, 'researchUrl' | 'modelsVideo'>): string[] {
  const addresses = modelsVideo.kind === 'embed' ? [researchUrl, modelsVideo.url] : [researchUrl];
  return [...new Set(addresses.flatMap((address) => frameOrigin(address) ?? []))];
}

/** Of a document elsewhere, its name in the alphabet of host names; null: a page of ours cannot frame it. */
export function frameOrigin(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') return null;
  return PLAIN_ORIGIN.test(url.origin) ? url.origin : null;
}

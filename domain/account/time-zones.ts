/** The zones that a profile may name, by region, with what their clocks are ahead of UTC now. */
export interface ZoneOfRegion {
  /** IANA name: `America/Argentina/Buenos_Aires`. */
  zone: string;
  /** As people write it: `Buenos Aires (Argentina)`. */
  place: string;
  /** `UTC+5:30`, `UTC−3`, `UTC`. */
  offset: string;
}

export interface ZoneRegion {
  region: string;
  zones: readonly ZoneOfRegion[];
}

/**
 * @param names  IANA names, such as `Intl.supportedValuesOf('timeZone')` gives them
 * @param nowMs  decides on which side of a clock change a zone is
 * @returns regions in the order of the alphabet, UTC first
 */
export function zoneRegions(names: readonly string[], nowMs: number): ZoneRegion[] {
  const regions = new Map<string, ZoneOfRegion[]>([['UTC', [{ zone: 'UTC', place: 'UTC', offset: 'UTC' }]]]);
  for (const zone of names) {
    const [region = '', ...rest] = zone.split('/');
    if (rest.length === 0) continue;
    const known = regions.get(region) ?? [];
    known.push({ zone, place: placeOf(rest), offset: offsetOf(zone, nowMs) });
    regions.set(region, known);
  }
  return [...regions]
    .map(([region, zones]) => ({ region, zones: zones.toSorted((a, b) => compare(a.place, b.place)) }))
    .toSorted((a, b) => Number(b.region === 'UTC') - Number(a.region === 'UTC') || compare(a.region, b.region));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function placeOf(parts: readonly string[]): string {
  const [place = '', ...within] = parts.map((part) => part.replaceAll('_', ' ')).toReversed();
  return within.length === 0 ? place : `${place} (${within.join(', ')})`;
}

/** With a real minus. @throws RangeError for an unknown zone */
export function offsetOf(zone: string, nowMs: number): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(nowMs);
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  return name.replace('GMT', 'UTC').replace('-', '−').replace(/\+0$/, '');
}

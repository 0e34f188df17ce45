import { isKnownZone } from '../format/zoned-time.ts';

export interface ZoneOfRegion {
  /** IANA name: `America/Argentina/Buenos_Aires`. */
  zone: string;
  /** Display name: `Buenos Aires (Argentina)`. */
  place: string;
  /** The IANA name before the place was renamed, which some users still search for. */
  formerly?: string | undefined;
  /** `UTC+5:30`, `UTC−3`, `UTC`. */
  offset: string;
}

export interface ZoneRegion {
  region: string;
  zones: readonly ZoneOfRegion[];
}

/** Some browsers list these zones only by their old names, under which no one would find the place. */
const NAMES_OF_TODAY: ReadonlyMap<string, string> = new Map([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
]);

/** By region, UTC first. @param nowMs  decides on which side of a clock change a zone is */
export function zoneRegions(names: readonly string[], nowMs: number): ZoneRegion[] {
  const regions = new Map<string, ZoneOfRegion[]>([['UTC', [{ zone: 'UTC', place: 'UTC', offset: 'UTC' }]]]);
  for (const name of names) {
    const today = NAMES_OF_TODAY.get(name);
    const isRenamed = today !== undefined && isKnownZone(today);
    if (isRenamed && names.includes(today)) continue;
    const zone = isRenamed ? today : name;
    const [region = '', ...rest] = zone.split('/');
    if (rest.length === 0) continue;
    const known = regions.get(region) ?? [];
    const formerly = isRenamed ? name : undefined;
    known.push({ zone, place: placeOf(rest), formerly, offset: offsetOf(zone, nowMs) });
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

/** Uses a real minus sign. @throws RangeError for an unknown zone */
export function offsetOf(zone: string, nowMs: number): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(nowMs);
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  return name.replace('GMT', 'UTC').replace('-', '−').replace(/\+0$/, '');
}

/** Offset of an IANA zone from UTC at an instant, from Intl; cached by UTC day, because Intl is slow. */
const DAY_S = 86_400;
/** Lord Howe Island moves its clocks at half past the hour by UTC. */
const SLOT_S = 1800;
/** Days cached per zone before its cache is cleared: eleven years, about 200 KB. */
const MAX_DAYS = 4096;

interface Zone {
  format: Intl.DateTimeFormat;
  /** One offset for the whole day, or one for each half hour of the day of a change. */
  days: Map<number, number | readonly number[]>;
}

const zones = new Map<string, Zone>();

/**
 * @param zone    IANA name, e.g. `America/New_York`
 * @param epochS  seconds, UTC
 * @returns seconds to add to UTC for the zone's wall clock (-18000 for New York in winter)
 * @throws RangeError for an unknown zone
 * Assumes that changes fall on whole and half UTC hours, as they do in every zone today.
 */
export function zoneOffsetS(zone: string, epochS: number): number {
  const known = zones.get(zone) ?? addZone(zone);
  const day = Math.floor(epochS / DAY_S);
  const offset = known.days.get(day) ?? addDay(known, day);
  return typeof offset === 'number' ? offset : (offset[Math.floor((epochS - day * DAY_S) / SLOT_S)] ?? 0);
}

function addZone(zone: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const added: Zone = { format, days: new Map() };
  zones.set(zone, added);
  return added;
}

function addDay(zone: Zone, day: number): number | readonly number[] {
  if (zone.days.size >= MAX_DAYS) zone.days.clear();
  const startS = day * DAY_S;
  const first = readOffsetS(zone.format, startS);
  const isSteady = first === readOffsetS(zone.format, startS + DAY_S - 1);
  const offset = isSteady
    ? first
    : Array.from({ length: DAY_S / SLOT_S }, (_, slot) => readOffsetS(zone.format, startS + slot * SLOT_S));
  zone.days.set(day, offset);
  return offset;
}

function readOffsetS(format: Intl.DateTimeFormat, epochS: number): number {
  const part = Object.fromEntries(format.formatToParts(epochS * 1000).map((p) => [p.type, Number(p.value)]));
  const wallMs = Date.UTC(
    part.year ?? 0,
    (part.month ?? 1) - 1,
    part.day ?? 1,
    part.hour ?? 0,
    part.minute ?? 0,
    part.second ?? 0,
  );
  return Math.round(wallMs / 1000) - epochS;
}

/** Parses dates in feeds: RFC 822 with zone names, or ISO 8601; without a zone they are UTC. */

const HAS_ZONE = /(?:[a-z]|[+-]\d{2}:?\d{2})\s*(?:\([^()]*\))?$/i;

/** @returns epoch milliseconds; null for a missing or invalid date */
export function feedDateMs(text: string | null | undefined): number | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '' || trimmed.length > 60) return null;
  // A plain day is already UTC.
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(trimmed);
  const zone = trimmed.includes('T') && /^\d{4}-/.test(trimmed) ? 'Z' : ' GMT';
  const ms = Date.parse(isDay || HAS_ZONE.test(trimmed) ? trimmed : trimmed + zone);
  return Number.isFinite(ms) ? ms : null;
}

/** Epoch numbers in either unit: below 2e9 they are seconds, otherwise milliseconds (R-MARKET-25). */
export const SECONDS_BELOW = 2e9;

/** Milliseconds from a number or numeric text in either unit, or an ISO text; null for anything else. */
export function toEpochMs(value: unknown): number | null {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string' || value.trim() === '') return null;
  const asNumber = Number(value);
  if (Number.isFinite(asNumber)) return fromNumber(asNumber);
  const parsed = Date.parse(value);
  return Number.isFinite(parsed) ? parsed : null;
}

function fromNumber(value: number): number | null {
  if (!Number.isFinite(value)) return null;
  return value < SECONDS_BELOW ? value * 1000 : value;
}

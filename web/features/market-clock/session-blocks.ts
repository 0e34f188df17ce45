/** A session's UTC hours on the viewer's day, from midnight to midnight: one block, or two when it passes midnight. */

/** Hours of the viewer's day, `[start, end)`, within 0 to 24. */
export interface Block {
  startHour: number;
  endHour: number;
}

/**
 * @param offsetHours  what the viewer's clock adds to UTC; 5.5 in India
 * @returns blocks in the order of the day; together as long as the session
 */
export function blocksOf(session: { startUTC: number; endUTC: number }, offsetHours: number): Block[] {
  const startHour = hourOfDay(session.startUTC + offsetHours);
  const endHour = startHour + hourOfDay(session.endUTC - session.startUTC);
  if (endHour <= 24) return [{ startHour, endHour }];
  return [
    { startHour: 0, endHour: endHour - 24 },
    { startHour, endHour: 24 },
  ];
}

/** '9 PM – 6 AM', '2:30 AM – 11:30 AM': the viewer's clock. */
export function hoursWords(session: { startUTC: number; endUTC: number }, offsetHours: number): string {
  const [start, end] = [session.startUTC, session.endUTC].map((hour) => hourWords(hour + offsetHours));
  return `${start} – ${end}`;
}

/** '12 AM', '2:30 PM'; hours beyond a day come round. */
export function hourWords(hour: number): string {
  const minutes = Math.round(hourOfDay(hour) * 60) % 1440;
  const [h, m] = [Math.floor(minutes / 60), minutes % 60];
  const clock = m === 0 ? String(h % 12 || 12) : `${h % 12 || 12}:${String(m).padStart(2, '0')}`;
  return `${clock} ${h < 12 ? 'AM' : 'PM'}`;
}

function hourOfDay(hour: number): number {
  return ((hour % 24) + 24) % 24;
}

/** The two largest units of a duration: '2 d 17 h', '17 h 30 min', '3 min'. @param minutes  whole, at least 1 */
export function minutesText(minutes: number): string {
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  if (days > 0) return hours === 0 ? `${days} d` : `${days} d ${hours} h`;
  if (hours > 0) return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
  return `${rest} min`;
}

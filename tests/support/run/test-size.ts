/** How large random samples are: small in `npm test`, large in `npm test -- night`. */
export const isNight = process.env.TEST_SIZE === 'night';
export function sampleSize(day: number, night: number): number {
  return isNight ? night : day;
}

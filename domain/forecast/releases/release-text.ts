import type { ForecastReleases } from './forecast-releases.ts';

/**
 * 'band 1.9 times wider for US CPI at 13:30'; '' when there is nothing to say.
 * @param clock  a moment in the reader's zone
 */
export function describeReleases({ list, factor, isComplete }: ForecastReleases, clock: (atS: number) => string) {
  const named = list.map(({ name, atS }) => `${name} at ${clock(atS)}`).join(', ');
  const much = factor < 1.05 ? 'a little' : `${factor.toFixed(1)} times`;
  const widening = named && `band ${much} wider for ${named}`;
  if (isComplete) return widening;
  return `${widening && `${widening}; `}calendar missing, so releases may be unknown`;
}

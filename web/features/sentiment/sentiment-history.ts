/** Five days of votes with the price over them, and a description as text. */
import { upPercent, type VoteDay } from '#domain/community/vote.ts';
import { formatPrice, plainPercent } from '#domain/format/price.ts';
import { zonedNamedDay, zonedWeekday } from '#domain/format/zoned-time.ts';
import type { SharePoint } from '../../charts/plots/overlay-chart.tsx';
import type { PriceHours } from './sentiment-api.ts';

const DAY_S = 86_400;

export interface SentimentHistory {
  points: SharePoint[];
  overlay: PriceHours['closes'];
  fromS: number;
  toS: number;
}

/** @param days  oldest first; the last one is today, which is not over */
export function voteHistory(days: readonly VoteDay[], closes: PriceHours['closes'], nowMs: number): SentimentHistory {
  const nowS = nowMs / 1000;
  const points = days.map((day, i): SharePoint => {
    const { fromS } = day;
    const isOpen = i === days.length - 1;
    // Early in the day today's point would be at the edge, so it is at least an hour in.
    const endS = isOpen ? Math.min(fromS + DAY_S, Math.max(nowS, fromS + 7200)) : fromS + DAY_S;
    const share = upPercent(day);
    const price = closes.findLast(({ timeS }) => timeS >= fromS && timeS < fromS + DAY_S);
    const parts = [
      `${zonedNamedDay(fromS * 1000, 'UTC')}${isOpen ? ', in progress' : ''}: `,
      share === null ? 'no votes' : `${plainPercent(share, 1)} up, ▲ ${day.up} ▼ ${day.down}`,
      price === undefined ? '' : ` · BTC ${formatPrice(price.value, 0)}`,
    ];
    return {
      timeS: (fromS + endS) / 2,
      share,
      label: zonedWeekday(fromS * 1000, 'UTC'),
      text: parts.join(''),
    };
  });
  const fromS = days[0]?.fromS ?? nowS;
  const toS = Math.max(nowS, (days.at(-1)?.fromS ?? nowS) + 7200);
  return { points, overlay: closes.filter(({ timeS }) => timeS >= fromS && timeS <= toS), fromS, toS };
}

export function describeHistory({ points, overlay }: SentimentHistory): string {
  const days = points.map(({ text }) => text).join('; ');
  const [first, last] = [overlay[0], overlay.at(-1)];
  const price =
    first === undefined || last === undefined
      ? 'BTC price unavailable.'
      : `BTC moved from ${formatPrice(first.value, 0)} to ${formatPrice(last.value, 0)} US dollars.`;
  return `Votes over ${points.length} days: ${days}. ${price}`;
}

export function describePrice(price: PriceHours | undefined): string {
  if (price === undefined) return 'BTC price';
  if (price.closes.length === 0) return 'No BTC price.';
  return price.attribution === null ? 'BTC price, hourly.' : `BTC price, hourly: ${price.attribution}.`;
}

/** One model's current record in a line, for places that describe the model rather than the record. */
import type { ModelName } from '../../forecast/models.ts';
import { groupedCount } from '../../format/count.ts';
import { TRACK_PERIODS, type TrackSummary } from '../figures/track-summary.ts';
import { describeCoverage, describeSkill } from './verdict.ts';

const MARKETS = {
  live: 'In the public record',
  replayed: 'In the public record of a replayed market',
  simulated: 'In the public record of a simulated market',
} as const satisfies Record<TrackSummary['market'], string>;

export function recordLine(summary: TrackSummary, model: ModelName): string {
  const where = MARKETS[summary.market];
  const own = summary.models.find((one) => one.model === model && one.role === 'serving');
  if (own === undefined || own.all.n === 0) return `${where}: nothing scored yet.`;
  const { n } = own.all;
  const scored = `${groupedCount(n)} ${n === 1 ? 'forecast' : 'forecasts'} scored in ${TRACK_PERIODS[summary.period]} days`;
  const held = own.all.cover80?.interval == null ? '' : `; ${describeCoverage(80, own.all)}`;
  return `${where}: ${scored}; ${describeSkill(own.all, 'ewma')}${held}.`;
}

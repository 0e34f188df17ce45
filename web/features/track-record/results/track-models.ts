/** The models of the record: which are compared, and their names. */
import { shortName } from '#domain/forecast/figures/figure-messages.ts';
import type { TrackSummary } from '#domain/record/figures/track-summary.ts';

export type TrackModel = TrackSummary['models'][number];

/** Shadow models run hidden beside those that users see. */
export function modelTitle({ model, role }: Pick<TrackModel, 'model' | 'role'>): string {
  return role === 'shadow' ? `${shortName(model)}, shadow` : shortName(model);
}

export function modelsOfRole(summary: TrackSummary, role: TrackModel['role']): TrackModel[] {
  return summary.models.filter((one) => one.role === role);
}

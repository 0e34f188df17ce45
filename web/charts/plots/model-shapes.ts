/** The same mark for a model wherever it is drawn. */
import type { ModelName } from '#domain/forecast/models.ts';
import type { PointShape } from './frame/point-mark.tsx';

export const MODEL_SHAPES = { bobcat: 'circle', panther: 'square', lion: 'triangle' } as const satisfies Record<
  ModelName,
  PointShape
>;

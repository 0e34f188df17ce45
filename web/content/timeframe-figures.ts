/** A test compares the figures with the shipped manifests. */
import type { Interval } from '#domain/forecast/model-figures.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';

/** On BTC, ETH, SOL and DOGE, over all horizons; skill is in per cent of the error of the bands (CRPS). */
export interface TimeframeFigures {
  timeframe: Timeframe;
  model: ModelName;
  overWalk: Interval;
  overHar: Interval;
  /** Null for Bobcat itself. */
  overBobcat: Interval | null;
  /** Closes of 100 inside the 80% band. */
  inside80: Interval;
}

export const TIMEFRAME_FIGURES: readonly TimeframeFigures[] = [
  {
    timeframe: '5min',
    model: 'bobcat',
    overWalk: [1.912, 1.263, 2.766],
    overHar: [0.232, 0.018, 0.467],
    overBobcat: null,
    inside80: [77.802, 75.72, 79.996],
  },
  {
    timeframe: '5min',
    model: 'panther',
    overWalk: [1.88, 1.246, 2.74],
    overHar: [0.2, -0.119, 0.505],
    overBobcat: [-0.033, -0.229, 0.129],
    inside80: [77.746, 75.675, 79.799],
  },
  {
    timeframe: '5min',
    model: 'lion',
    overWalk: [1.921, 1.281, 2.77],
    overHar: [0.241, -0.052, 0.536],
    overBobcat: [0.008, -0.159, 0.162],
    inside80: [77.647, 75.508, 79.759],
  },
  {
    timeframe: '15min',
    model: 'bobcat',
    overWalk: [2.564, 1.287, 3.919],
    overHar: [0.207, -0.175, 0.618],
    overBobcat: null,
    inside80: [79.704, 76.669, 82.87],
  },
  {
    timeframe: '15min',
    model: 'panther',
    overWalk: [2.486, 1.228, 3.866],
    overHar: [0.128, -0.44, 0.731],
    overBobcat: [-0.08, -0.399, 0.248],
    inside80: [79.389, 76.37, 82.548],
  },
  {
    timeframe: '15min',
    model: 'lion',
    overWalk: [2.412, 1.172, 3.843],
    overHar: [0.052, -0.572, 0.684],
    overBobcat: [-0.156, -0.543, 0.259],
    inside80: [79.349, 76.413, 82.355],
  },
];

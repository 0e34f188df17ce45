/** A test compares the sizes and comparisons with the shipped manifests. */
import type { ModelName } from '#domain/forecast/models.ts';

export interface GuideEntry {
  model: ModelName;
  /** What it is and what it is for, in one or two short sentences. */
  summary: string;
  reads: string;
  parameters: number;
  architecture: string;
  goodAt: string;
  failsAt: string;
}

export const MODEL_GUIDE: readonly GuideEntry[] = [
  {
    model: 'bobcat',
    summary: 'The small one. It forecasts the range of the next minutes from recent volatility and the time of day.',
    reads:
      'Averages of returns and ranges over 1 to 450 minutes, relative to recent volatility, and the time of day, hour and week. No volume and no individual candles.',
    parameters: 9_972,
    architecture: 'one small perceptron alongside a linear model',
    goodAt:
      'The range of the next minutes for coins. Of the three, its 80% band came closest to holding 80 of 100 closes.',
    failsAt:
      'The first few minutes: it improves on HAR, a simple regression on past volatility, by less than the larger two. Its 80% band was too narrow on the test, though less so than the others.',
  },
  {
    model: 'panther',
    summary:
      'The medium one. It also reads the 450 candles one by one. It forecasts the volatility of the next 50 minutes better than Bobcat.',
    reads:
      'Everything Bobcat reads, plus volume, signed moves, the share of minutes without a move, and each of the 450 candles: body, wicks, volume, gaps.',
    parameters: 118_332,
    architecture: 'a perceptron and a transformer over patches of minutes, trained together',
    goodAt: 'The volatility of the next 50 minutes: its error is lower than Bobcat’s on the same windows.',
    failsAt:
      'Justifying its size: over all horizons, its bands are not shown to be better than Bobcat’s. Its 80% band was also too narrow on the test.',
  },
  {
    model: 'lion',
    summary:
      'The large one. It averages seven networks. Its bands have the lowest error of the three, by hundredths of a percent.',
    reads: 'The same as Panther, through seven networks of four kinds whose outputs are averaged.',
    parameters: 533_412,
    architecture:
      'two perceptrons, two patch transformers, a gated convolution and two plain perceptrons combined in one model',
    goodAt:
      'Everything, by a little: its bands have the lowest error of the three, by hundredths of a percent, and its volatility and range forecasts are the best here.',
    failsAt:
      'Its 80% band was also too narrow on the test. Its lead over Bobcat comes from a test set that was not fully unseen. On shares and gold, it is not shown to be better than HAR.',
  },
];

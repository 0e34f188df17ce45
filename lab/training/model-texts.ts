import type { ModelName } from '../../domain/forecast/models.ts';
import { barMinutesOf, type Timeframe } from '../../domain/market/timeframes.ts';

/** What a model of longer bars differs in, as the texts below count minutes. */
export function barsText(timeframe: Timeframe): string {
  return `This version reads and forecasts bars of ${barMinutesOf(timeframe)} minutes, added up from whole minutes: 450 bars back and 50 ahead. Where the text below counts minutes, it means bars.
The recipes of each timeframe are in lab/training/kat_training/recipes.py, and what was tried in docs/decisions/066-timeframes.md.`;
}

export const MODEL_TEXTS: Record<ModelName, string> = {
  bobcat: `Bobcat is a small neural network. It reads no single candle. Instead it reads 450 minutes as averages of returns and ranges over 1 to 450 minutes, relative to the market's recent
volatility, with the time of day, hour and week. A linear part, fitted by least squares like a log-HAR model, feeds the outputs directly. A perceptron beside it learns the remainder.`,
  panther: `Panther is a neural network that also reads the 450 minutes themselves. A perceptron reads all statistics of the lookback: Bobcat's, and mean absolute returns, signed moves, volume and
the share of minutes without a move. A transformer over patches reads the single minutes (return, range, wicks, volume, gaps), with short patches for the last 90 minutes and long ones before.
Both learn the remainder of a linear part, which is fitted by least squares like a log-HAR model.`,
  lion: `Lion is the mean of seven networks in one graph. Two are perceptrons on all statistics of the lookback, two are of Panther's kind from separate seeds. One reads the minutes by gated
causal convolutions instead of attention, and two are of Bobcat's kind.`,
};

/** For all three models: the output, and how candles are made from it. */
export const SHARED_TEXT = `The network predicts the variance of each of the next 50 minutes, including the rhythm of the hour and of the day. It also predicts quantiles of the close at every horizon: the width that follows from those variances
times a table of standardised moves. The features of the lookback correct that table: its wicks, its tails, how volatile it is, the time of the hour. The tables come from validation months, on which no
weight was fitted. Shares and gold have separate offsets and tables. The lower quantiles mirror the upper ones, and the median is the last close.

The candles shown are one of 64 paths, drawn with that variance from fitted tables of bodies and wicks. It is the path nearest to the others among the quarter with typical roughness. The
same symbol, minute and version always give the same picture. The model contains no recorded candle.`;

export const LIMITS = `- It can forecast how much the price is likely to move, but not in which direction: its median is deliberately the last close, at every horizon. Nothing we
  measured beats the last close at one minute, and no hit rate is promised.
- The candles shown are one plausible path, not the expected one. As a point forecast they are worse than the last close (see 'path error').
- Volume is not forecast; it is given as 0.
- Shares and gold rely on a few weeks of data. The dollar index and oil have none: they use gold's values and are not evaluated.
- It accepts fewer than 450 candles, down to 120. Averages then cover the candles present, and missing minutes get the mean of the others. With 120 of 450 candles of January 2025
  (BTC, validation), the 80% band covered 79.6% (Bobcat; 79.4 with all), 80.9% (Panther; 79.0) and 80.1% (Lion; 79.0). Below 120 there is no forecast.
- It knows nothing of news, halts and the first minutes after a weekend. Nor of scheduled releases: what they add is applied to its answer (see 'Around scheduled releases')
  and is in no other figure of this card.`;

/** The same for longer bars. */
export const LIMITS_OF_BARS = `- It can forecast how much the price is likely to move, but not in which direction: its median is deliberately the last close, at every horizon.
- The candles shown are one plausible path, not the expected one. As a point forecast they are worse than the last close (see 'path error').
- Volume is not forecast; it is given as 0.
- It is for coins. A session of shares has no 50 bars of a quarter of an hour, and there are only weeks of shares and gold.
- It accepts fewer than 450 bars, down to 120, but was fitted and measured with 450 alone.
- It knows nothing of news, halts and the first minutes after a weekend. Nor of scheduled releases: what they add is applied to its answer (see 'Around scheduled releases')
  and is in no other figure of this card.`;

/** The same for longer bars. */
export const CAVEATS_OF_BARS = `Weights, early stops, calibration and the choice of recipes use only the fitting and validation spans. One version was measured on the test spans before this one.
Its bands of 15 minutes were too wide there, so the quantile tables were looked at again. They now pool validation with fitting windows, which validation windows prefer too. To that extent, coverage is not a blind test.

The windows overlap: months of candles hold few stretches of 50 bars. Intervals come from blocks of a day, and there are fewer of them than a verdict needs.
The same months had been measured at one minute, so they are not unseen by the people who built this.`;

/** How the figures were obtained, for sceptical readers. */
export const CAVEATS = `Weights, early stops and calibration use only the fitting and validation spans. Every choice between designs was made on validation windows (docs/decisions/018-networks.md).

Earlier versions were measured on the test spans. That showed two faults, both fixed. Shares and gold were far worse than log-HAR at one minute, because the inputs that identify their class met weights that were never fitted.
The 80% band covered 78%, because one week of many symbols outweighed two months of others. The first fix corrects a plain mistake; validation windows also prefer the second. Lion's two plain members were added after the test had shown its lead over Bobcat to be uncertain; their share was chosen on validation.

To that extent, coverage, shares and gold, and Lion's lead over Bobcat are not a blind test. For the drawn candles, spread, clustering and lengths are chosen on validation, but test figures influenced the form of their tables and the choice of more clustering.`;

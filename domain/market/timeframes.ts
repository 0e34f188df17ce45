/** Lengths of a bar. Imports nothing: the first paint of /kat reads them from the address. */

export const TIMEFRAMES = ['1min', '5min', '15min'] as const;
export type Timeframe = (typeof TIMEFRAMES)[number];

/** What a request without a timeframe is for. */
export const DEFAULT_TIMEFRAME = '1min' satisfies Timeframe;

const BAR_MINUTES: Readonly<Record<Timeframe, number>> = { '1min': 1, '5min': 5, '15min': 15 };

export function barMinutesOf(timeframe: Timeframe): number {
  return BAR_MINUTES[timeframe];
}

export function barSecondsOf(timeframe: Timeframe): number {
  return BAR_MINUTES[timeframe] * 60;
}

/** Null for a text that names no timeframe; in any case: '5MIN'. */
export function timeframeOfText(text: string): Timeframe | null {
  const wanted = text.toLowerCase();
  return TIMEFRAMES.find((timeframe) => timeframe === wanted) ?? null;
}

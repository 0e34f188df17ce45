/** The 25 quantile levels of every forecast distribution. */
export const QUANTILE_LEVELS = [
  0.005, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.475, 0.5, 0.525, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8,
  0.85, 0.9, 0.95, 0.975, 0.995,
] as const;

/** Bands drawn on every chart: quantile levels of their lower and upper edges. */
export const BANDS = {
  p80: { lower: 0.1, upper: 0.9 },
  p95: { lower: 0.025, upper: 0.975 },
} as const;

/** Prices of the band edges, one entry per forecast candle. */
export interface ForecastBand {
  lower80: number[];
  upper80: number[];
  lower95: number[];
  upper95: number[];
}

/** Both bands at the forecast's last bar: the expected range. Null for a band without bars. */
export function bandAtEnd(band: ForecastBand): Record<keyof ForecastBand, number> | null {
  const [lower80, upper80, lower95, upper95] = [band.lower80, band.upper80, band.lower95, band.upper95].map((edge) =>
    edge.at(-1),
  );
  if (lower80 === undefined || upper80 === undefined || lower95 === undefined || upper95 === undefined) return null;
  return { lower80, upper80, lower95, upper95 };
}

/**
 * Recipes of simulated candles with the model's answers. Probes of the inputs detect a drift of features, `output` one
 * of the network, `forecast` (drawn from the file's `output`) one of the paths and bands.
 */
import * as z from 'zod/mini';
import { type Candle, candleColumnsSchema } from '#domain/market/candle.ts';
import { TIMEFRAMES } from '#domain/market/timeframes.ts';
import { MINUTE_CHANNELS, type ModelInputs } from '../../network/model-inputs.ts';
import type { NetworkOutput } from '../../network/network-forecast.ts';
import { generatedCandles } from '../generated-candles.ts';

const ASSET_CLASSES = ['crypto', 'equity', 'metal', 'index', 'energy'] as const;
const numbers = z.array(z.number());

const recipeSchema = z.object({
  /** Consecutive pieces, each an argument of generatedCandles. */
  pieces: z.array(
    z.object({
      seed: z.string(),
      count: z.int(),
      startS: z.int(),
      firstOpen: z.number(),
      volatility: z.number(),
      tickSize: z.number(),
      barS: z.optional(z.int()),
    }),
  ),
  /** A feed without volume has 0 throughout. */
  hasVolume: z.boolean(),
});
export type CandleRecipe = z.infer<typeof recipeSchema>;

const probesSchema = z.object({
  t0: z.int(),
  lastClose: z.number(),
  scale: z.number(),
  statics: numbers,
  /** Sum over the 450 minutes per channel. */
  minuteSums: numbers,
  /** Calendar values of the first and the last minute ahead. */
  aheadEnds: numbers,
});
export type InputProbes = z.infer<typeof probesSchema>;

export const goldenFileSchema = z.object({
  modelVersion: z.string(),
  /** Absent: one minute. */
  timeframe: z.optional(z.enum(TIMEFRAMES)),
  /** Allowed difference of a network's outputs from `output`, in their own scaled units. */
  tolerance: z.number(),
  cases: z.array(
    z.object({
      name: z.string(),
      subject: z.object({ sym: z.string(), assetClass: z.enum(ASSET_CLASSES), tickSize: z.number() }),
      recipe: recipeSchema,
      probes: probesSchema,
      output: z.object({ logVariance: numbers, upperQuantiles: numbers, logRv50: z.number(), logRange50: z.number() }),
      forecast: z.object({
        rv50: z.number(),
        range50: z.number(),
        path: candleColumnsSchema,
        band: z.object({ lower80: numbers, upper80: numbers, lower95: numbers, upper95: numbers }),
      }),
    }),
  ),
});
export type GoldenFile = z.infer<typeof goldenFileSchema>;
export type GoldenCase = GoldenFile['cases'][number];

export function candlesOf(recipe: CandleRecipe): Candle[] {
  const candles = recipe.pieces.flatMap(({ barS, ...piece }) =>
    generatedCandles(barS === undefined ? piece : { ...piece, barS }),
  );
  return recipe.hasVolume ? candles : candles.map((candle) => ({ ...candle, volume: 0 }));
}

export function probesOf(inputs: ModelInputs): InputProbes {
  const { features, statics, minutes, ahead } = inputs;
  const minuteSums = MINUTE_CHANNELS.map((_, channel) => {
    let sum = 0;
    for (let at = channel; at < minutes.length; at += MINUTE_CHANNELS.length) sum += minutes[at] ?? 0;
    return sum;
  });
  return {
    t0: features.t0,
    lastClose: features.lastClose,
    scale: features.scale,
    statics: Array.from(statics),
    minuteSums,
    aheadEnds: [...ahead.slice(0, 2), ...ahead.slice(-2)],
  };
}

export function outputOf(output: GoldenCase['output']): NetworkOutput {
  return {
    ...output,
    logVariance: Float32Array.from(output.logVariance),
    upperQuantiles: Float32Array.from(output.upperQuantiles),
  };
}

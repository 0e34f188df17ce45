/** Generated inputs with their expected outputs: any drift of features, network or paths shows in one diff. */
import { toColumns } from '../../../domain/market/candle.ts';
import { barMinutesOf, barSecondsOf, type Timeframe } from '../../../domain/market/timeframes.ts';
import type { StoredPathTables } from '../../../server/forecast/models/manifest.ts';
import {
  type CandleRecipe,
  candlesOf,
  type GoldenCase,
  type GoldenFile,
  outputOf,
  probesOf,
} from '../../../server/forecast/models/testing/golden-file.ts';
import { buildModelInputs } from '../../../server/forecast/network/model-inputs.ts';
import type { Network } from '../../../server/forecast/network/network.ts';
import {
  computeForecast,
  type NetworkOutput,
  type NetworkSubject,
  volatilityOf,
} from '../../../server/forecast/network/network-forecast.ts';

/** Other machines may add in another order; a larger difference means another network. */
const TOLERANCE = 1e-4;
/** Stored decimals: well inside the tolerance. */
const DECIMALS = 6;

/** A Wednesday of New York daylight saving, 13:30 UTC: the opening of the share market. */
const OPENING_S = 1_749_043_800;
const SESSION_BARS = 390;
const NIGHT_S = 17.5 * 3600;
const NEW_YEAR_2025_S = 1_735_689_600;
const ORDINARY = 8e-4;

interface GoldenInput {
  name: string;
  subject: NetworkSubject;
  recipe: CandleRecipe;
}

const ETH = { sym: 'ETHUSDT.P', assetClass: 'crypto', tickSize: 0.01 } as const;

const INPUTS: readonly GoldenInput[] = [
  { name: 'a full lookback of crypto', subject: ETH, recipe: oneSpan('crypto', ETH, 2500) },
  {
    name: 'the shortest lookback, at a coarse tick',
    subject: { sym: 'DOGEUSDT.P', assetClass: 'crypto', tickSize: 0.00001 },
    recipe: oneSpan('short', { tickSize: 0.00001 }, 0.08, { count: 120 }),
  },
  { name: 'a share an hour after its opening', subject: share(), recipe: acrossTheNight() },
  {
    name: 'gold, without volume',
    subject: { sym: 'GC1!', assetClass: 'metal', tickSize: 0.01 },
    recipe: { ...oneSpan('gold', { tickSize: 0.01 }, 3300, { startS: OPENING_S, volatility: 3e-4 }), hasVolume: false },
  },
  {
    name: 'a quiet market, at the floor of the scale',
    subject: ETH,
    recipe: oneSpan('quiet', ETH, 2500, { volatility: 2e-6 }),
  },
  { name: 'a wild market', subject: ETH, recipe: oneSpan('wild', ETH, 2500, { volatility: 6e-3 }) },
  {
    name: 'an index, of which there was no data',
    subject: { sym: 'DX1!', assetClass: 'index', tickSize: 0.005 },
    recipe: oneSpan('index', { tickSize: 0.005 }, 99, { startS: OPENING_S, volatility: 5e-5 }),
  },
  {
    name: 'energy, of which there was no data',
    subject: { sym: 'CL1!', assetClass: 'energy', tickSize: 0.01 },
    recipe: oneSpan('energy', { tickSize: 0.01 }, 62, { startS: OPENING_S }),
  },
];

export async function goldenFile(
  network: Network,
  tables: StoredPathTables,
  modelVersion: string,
  timeframe: Timeframe = '1min',
): Promise<GoldenFile> {
  const cases: GoldenCase[] = [];
  for (const { name, subject, recipe: ofMinutes } of INPUTS) {
    const recipe = inBars(ofMinutes, timeframe);
    const inputs = buildModelInputs(candlesOf(recipe), subject.assetClass, timeframe);
    const [raw] = await network.run([inputs]);
    if (raw === undefined) throw new Error(`the network gave no answer to ${name}`);
    const output = roundedOutput(raw);
    const volatility = volatilityOf(outputOf(output), inputs.features);
    const { path, band } = computeForecast(tables, modelVersion, subject, inputs.features, volatility);
    const { rv50, range50 } = volatility;
    const forecast = { rv50, range50, path: toColumns(path), band };
    cases.push({ name, subject, recipe, probes: probesOf(inputs), output, forecast });
  }
  return { modelVersion, ...(timeframe === '1min' ? {} : { timeframe }), tolerance: TOLERANCE, cases };
}

/** The same markets in longer bars, each as much more volatile as a walk is over that time. */
function inBars(recipe: CandleRecipe, timeframe: Timeframe): CandleRecipe {
  if (timeframe === '1min') return recipe;
  const growth = Math.sqrt(barMinutesOf(timeframe));
  const barS = barSecondsOf(timeframe);
  let sessionStartS = recipe.pieces[0]?.startS ?? 0;
  const pieces = recipe.pieces.map((piece) => {
    const startS = sessionStartS;
    sessionStartS += piece.count * barS + NIGHT_S;
    return { ...piece, startS, volatility: piece.volatility * growth, barS };
  });
  return { ...recipe, pieces };
}

function roundedOutput(output: NetworkOutput): GoldenCase['output'] {
  const round = (value: number): number => Number(value.toFixed(DECIMALS));
  return {
    logVariance: Array.from(output.logVariance, round),
    upperQuantiles: Array.from(output.upperQuantiles, round),
    logRv50: round(output.logRv50),
    logRange50: round(output.logRange50),
  };
}

function oneSpan(
  seed: string,
  { tickSize }: Pick<NetworkSubject, 'tickSize'>,
  firstOpen: number,
  other: { count?: number; startS?: number; volatility?: number } = {},
): CandleRecipe {
  const { count = 450, startS = NEW_YEAR_2025_S, volatility = ORDINARY } = other;
  return { pieces: [{ seed: `golden-${seed}`, count, startS, firstOpen, volatility, tickSize }], hasVolume: true };
}

function share(): NetworkSubject {
  return { sym: 'MSFT', assetClass: 'equity', tickSize: 0.01 };
}

/** One complete session, and the first hour of the next. */
function acrossTheNight(): CandleRecipe {
  const piece = { volatility: ORDINARY, tickSize: 0.01 };
  const nextOpeningS = OPENING_S + SESSION_BARS * 60 + NIGHT_S;
  return {
    pieces: [
      { ...piece, seed: 'golden-share-1', count: SESSION_BARS, startS: OPENING_S, firstOpen: 440 },
      { ...piece, seed: 'golden-share-2', count: 60, startS: nextOpeningS, firstOpen: 443 },
    ],
    hasVolume: true,
  };
}

/** Puts every question of a symbol's windows to a model and to its rivals. */
import type { Calibration } from '../../../domain/chances/calibration.ts';
import { chanceOf, drawSteps, momentPaths } from '../../../domain/chances/chance.ts';
import { type ChanceForecast, chanceForecast } from '../../../domain/chances/chance-forecast.ts';
import type { DrawnPaths } from '../../../domain/chances/draw-paths.ts';
import type { Moment } from '../../../domain/chances/question.ts';
import { isRefusal } from '../../../domain/chances/refusals.ts';
import { AppError } from '../../../domain/errors/app-error.ts';
import { MINUTE_S } from '../../../domain/market/candle.ts';
import { chanceInput } from '../../../server/forecast/chances/chance-input.ts';
import { volatilityOf } from '../../../server/forecast/network/network-forecast.ts';
import { type Baseline, constantVolatility, fitBaselines } from '../baselines/baselines.ts';
import type { MeasuredSymbol } from '../measured-symbols.ts';
import { type MeasuredModel, runBatch } from '../windows/score-windows.ts';
import type { Window } from '../windows/windows.ts';
import { type PosedQuestion, posedQuestions } from './posed-questions.ts';
import { quantileChance, walkChance } from './rival-chances.ts';

const BATCH_WINDOWS = 64;

/** The rivals of a model, beside EWMA-Gauss, which is every chance's own baseline. */
export const RIVALS = ['har-pooled', 'har-empirical', 'constant'] as const;
export type Rival = (typeof RIVALS)[number];

export interface AnsweredQuestion {
  symbol: string;
  model: MeasuredModel['name'];
  t0: number;
  posed: PosedQuestion;
  chance: number;
  baseline: number;
  rivals: Readonly<Record<Rival, number>>;
  /**
   * For a question by paths, with the scaling of them to its moment, as if it were the only one of that moment. What is
   * random about a forecast's paths is drawn once with the forecast, before any question.
   */
  ms: number;
}

export interface AnswerOptions {
  strideMinutes: number;
  calibration?: Calibration | undefined;
}

/** @returns windows that a model withheld its forecast for, or whose forecast cannot be read */
export async function answerQuestions(
  models: readonly MeasuredModel[],
  symbol: MeasuredSymbol,
  { strideMinutes, calibration }: AnswerOptions,
  take: (answered: AnsweredQuestion) => void,
): Promise<number> {
  const rivals = rivalsOf(symbol);
  let withheld = 0;
  for (let start = 0; start < symbol.windows.length; start += BATCH_WINDOWS) {
    const batch = symbol.windows.slice(start, start + BATCH_WINDOWS);
    const runs = await runBatch(models, batch);
    for (const [i, window] of batch.entries()) {
      const posed = posedQuestions(window, strideMinutes);
      const ofRivals = rivals(window);
      const chancesOfRivals = posed.map((each) => ofRivals(each));
      for (const { model, outputs } of runs) {
        const forecast = forecastOf(model, window, outputs[i]);
        if (forecast === null) {
          withheld++;
          continue;
        }
        for (const [at, answered] of answers(forecast, window, posed, calibration).entries()) {
          const [question, ofThem] = [posed[at], chancesOfRivals[at]];
          if (question === undefined || ofThem === undefined) continue;
          const { name } = window.file;
          take({ symbol: name, model: model.name, t0: window.t0, posed: question, rivals: ofThem, ...answered });
        }
      }
    }
  }
  return withheld;
}

/** A model's forecast of a window for the engine of chances; null if it is withheld as implausible. */
export function forecastOf(
  { modelVersion, tables }: MeasuredModel,
  { file, features }: Window,
  output: Parameters<typeof volatilityOf>[0] | undefined,
): ChanceForecast | null {
  if (output === undefined) return null;
  try {
    const names = { sym: file.name, modelVersion };
    const forecast = chanceForecast(chanceInput(names, features, volatilityOf(output, features), tables));
    return isRefusal(forecast) ? null : forecast;
  } catch (error) {
    if (error instanceof AppError && error.code === 'forecast/failed') return null;
    throw error;
  }
}

function answers(
  forecast: ChanceForecast,
  window: Window,
  posed: readonly PosedQuestion[],
  calibration: Calibration | undefined,
): Pick<AnsweredQuestion, 'chance' | 'baseline' | 'ms'>[] {
  const nowMs = (window.t0 + MINUTE_S) * 1000;
  const moment: Moment = { nowMs, price: window.features.lastClose, priceAtMs: nowMs };
  let drawn: DrawnPaths | null = null;
  let drawMs = 0;
  const paths = (): DrawnPaths | null => {
    if (drawn === null) {
      const startedMs = performance.now();
      drawn = momentPaths(forecast, moment);
      drawMs = performance.now() - startedMs;
    }
    return drawn;
  };
  if (posed.some(({ kind }) => kind === 'touch' || kind === 'first')) {
    drawSteps(forecast);
    paths();
  }
  return posed.map(({ question }) => {
    const startedMs = performance.now();
    const found = chanceOf(question, forecast, moment, {
      paths,
      ...(calibration === undefined ? {} : { calibration }),
    });
    const ms = performance.now() - startedMs;
    if (!found.ok) throw new Error(`${window.file.name} at ${window.t0}: ${found.message}`);
    return {
      chance: found.chance,
      baseline: found.baseline,
      ms: ms + (found.by === 'paths' ? drawMs : 0),
    };
  });
}

/** Fitted on what lies before the measured span. */
function rivalsOf(symbol: MeasuredSymbol): (window: Window) => (posed: PosedQuestion) => Record<Rival, number> {
  const prior = symbol.prior();
  const constant = constantVolatility(prior.windows);
  const baselines = fitBaselines(prior.windows, symbol.harOfClass());
  const [own, pooled] = (['har-empirical', 'har-pooled'] as const).map((name) => baselineNamed(baselines, name));
  if (own === undefined || pooled === undefined) throw new Error('log-HAR is among the baselines');
  return (window) => {
    const { lastClose } = window.features;
    const [ofOwn, ofPooled] = [own.of(window), pooled.of(window)];
    return (posed) => ({
      'har-empirical': quantileChance(ofOwn, posed, lastClose),
      'har-pooled': quantileChance(ofPooled, posed, lastClose),
      constant: walkChance(constant * Math.sqrt(posed.bar), posed, lastClose),
    });
  };
}

function baselineNamed(baselines: readonly Baseline[], name: Rival): Baseline {
  const found = baselines.find((baseline) => baseline.name === name);
  if (found === undefined) throw new Error(`no baseline is named ${name}`);
  return found;
}

/** Networks have seen related symbols even if a symbol's own past is short; with these baselines, so has log-HAR. */
import type { AssetClass } from '../../../domain/market/symbols.ts';
import { weekPhase } from '../../../server/forecast/network/calendar-phase.ts';
import type { Features } from '../../../server/forecast/network/features.ts';
import type { CandleFile } from '../candle-files.ts';
import { empiricalTable, standardised, type UpperTable } from '../quantile-tables.ts';
import type { WidthForecast } from '../windows/window-forecast.ts';
import { type Window, windowsOf } from '../windows/windows.ts';
import { fitHar } from './har-baseline.ts';

/** Widths by window, and the standard quantiles that multiply them. */
export interface Forecaster {
  table: UpperTable;
  of(window: Window): WidthForecast;
}

/** Log-HAR with the time of day, and the same with the weekday too. */
export interface PooledForecasters {
  har: Forecaster;
  harWeek: Forecaster;
}

/** Windows of the class, all with the same weight. Fitted once per class and start, for any number of symbols. */
export class PooledHar {
  readonly #files: readonly CandleFile[];
  readonly #strideMinutesOf: (file: CandleFile) => number;
  readonly #minWindows: number;
  readonly #fitted = new Map<string, PooledForecasters | null>();

  constructor(files: readonly CandleFile[], strideMinutesOf: (file: CandleFile) => number, minWindows: number) {
    this.#files = files;
    this.#strideMinutesOf = strideMinutesOf;
    this.#minWindows = minWindows;
  }

  /** Uses no candle from `startS` (seconds) on; null with fewer than `minWindows` windows before it. */
  before(assetClass: AssetClass, startS: number): PooledForecasters | null {
    const key = `${assetClass} ${startS}`;
    const known = this.#fitted.get(key);
    if (known !== undefined) return known;
    const forecasters = this.#fit(assetClass, startS);
    this.#fitted.set(key, forecasters);
    return forecasters;
  }

  #fit(assetClass: AssetClass, startS: number): PooledForecasters | null {
    const seen: Seen[] = [];
    for (const file of this.#files.filter((f) => f.assetClass === assetClass)) {
      for (const { features, future } of windowsOf(file, { startS: 0, endS: startS }, this.#strideMinutesOf(file))) {
        seen.push({ features, future });
      }
    }
    if (seen.length < this.#minWindows) return null;
    return { har: forecasterOf(seen), harWeek: forecasterOf(seen, withWeek) };
  }
}

type Seen = Pick<Window, 'features' | 'future'>;

/** @param inputOf  the features that log-HAR is linear in */
function forecasterOf(seen: readonly Seen[], inputOf: (features: Features) => Features = (own) => own): Forecaster {
  const har = fitHar(seen.map(({ features, future }) => ({ features: inputOf(features), future })));
  const widthOf = (features: Features): WidthForecast => har(inputOf(features));
  const moves = seen.map(({ features, future }) => standardised(future.change, widthOf(features).sigma));
  return { table: empiricalTable(moves), of: (window) => widthOf(window.features) };
}

/** The day's rhythm differs by weekday, and weekends are calm: two harmonics of the week. */
function withWeek(features: Features): Features {
  const angle = 2 * Math.PI * weekPhase(features.t0);
  const week = [Math.sin(angle), Math.cos(angle), Math.sin(2 * angle), Math.cos(2 * angle)];
  return { ...features, values: Float64Array.from([...features.values, ...week]) };
}

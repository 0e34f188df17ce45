/** Networks have seen related symbols even if a symbol's own past is short; with this baseline, so has log-HAR. */
import type { AssetClass } from '#domain/market/symbols.ts';
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

/** Windows of the class, all with the same weight. Fitted once per class and start, for any number of symbols. */
export class PooledHar {
  readonly #files: readonly CandleFile[];
  readonly #strideMinutes: number;
  readonly #minWindows: number;
  readonly #fitted = new Map<string, Forecaster | null>();

  constructor(files: readonly CandleFile[], strideMinutes: number, minWindows: number) {
    this.#files = files;
    this.#strideMinutes = strideMinutes;
    this.#minWindows = minWindows;
  }

  /** Uses no candle from `startS` (seconds) on; null with fewer than `minWindows` windows before it. */
  before(assetClass: AssetClass, startS: number): Forecaster | null {
    const key = `${assetClass} ${startS}`;
    const known = this.#fitted.get(key);
    if (known !== undefined) return known;
    const forecaster = this.#fit(assetClass, startS);
    this.#fitted.set(key, forecaster);
    return forecaster;
  }

  #fit(assetClass: AssetClass, startS: number): Forecaster | null {
    const seen: Pick<Window, 'features' | 'future'>[] = [];
    for (const file of this.#files.filter((f) => f.assetClass === assetClass)) {
      for (const { features, future } of windowsOf(file, { startS: 0, endS: startS }, this.#strideMinutes)) {
        seen.push({ features, future });
      }
    }
    if (seen.length < this.#minWindows) return null;
    const har = fitHar(seen);
    const moves = seen.map(({ features, future }) => standardised(future.change, har(features).sigma));
    return { table: empiricalTable(moves), of: (window) => har(window.features) };
  }
}

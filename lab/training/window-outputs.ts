import { isAppError } from '../../domain/errors/app-error.ts';
import { buildModelInputs } from '../../server/forecast/network/model-inputs.ts';
import type { Network } from '../../server/forecast/network/network.ts';
import {
  type NetworkOutput,
  type VolatilityForecast,
  volatilityOf,
} from '../../server/forecast/network/network-forecast.ts';
import { lookbackOf, type Window } from '../measure/windows/windows.ts';

/** Large enough to be fast, small enough to hold the minutes of all of them. */
const BATCH = 64;

export interface ForecastWindow {
  window: Window;
  volatility: VolatilityForecast;
}

/** @throws Error naming a window whose output is implausible for any market */
export async function forecastWindows(network: Network, windows: readonly Window[]): Promise<ForecastWindow[]> {
  const forecasts: ForecastWindow[] = [];
  for (let start = 0; start < windows.length; start += BATCH) {
    const batch = windows.slice(start, start + BATCH);
    const outputs = await network.run(
      batch.map((w) => buildModelInputs(lookbackOf(w.file, w.index), w.file.assetClass, w.file.timeframe)),
    );
    for (const [i, window] of batch.entries()) {
      const output = outputs[i];
      if (output === undefined) throw new Error('the network answered fewer windows than requested');
      forecasts.push({ window, volatility: plausible(output, window) });
    }
  }
  return forecasts;
}

function plausible(output: NetworkOutput, { file, t0, features }: Window): VolatilityForecast {
  try {
    return volatilityOf(output, features);
  } catch (error) {
    const reason = isAppError(error) ? error.details.reason : 'no forecast';
    throw new Error(`${file.name} at ${new Date(t0 * 1000).toISOString()}: ${reason}`, { cause: error });
  }
}

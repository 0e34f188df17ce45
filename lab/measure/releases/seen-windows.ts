/** What a network forecasts in the months that networks were fitted or validated on: the test spans are left alone. */
import { buildModelInputs } from '../../../server/forecast/network/model-inputs.ts';
import { type VolatilityForecast, volatilityOf } from '../../../server/forecast/network/network-forecast.ts';
import type { CandleFile } from '../candle-files.ts';
import type { MeasuredNetwork } from '../windows/score-windows.ts';
import { type Segment, segmentsOf } from '../windows/splits.ts';
import { lookbackOf, type Window } from '../windows/windows.ts';

const BATCH_WINDOWS = 64;

export interface SeenForecast {
  window: Window;
  /** Without the calendar. */
  volatility: VolatilityForecast;
}

export function seenSegments(file: CandleFile): Segment[] {
  return segmentsOf(file).filter(({ part }) => part === 'fit' || part === 'validate');
}

export async function* forecastsOf(
  network: Pick<MeasuredNetwork, 'run'>,
  windows: Iterable<Window>,
): AsyncGenerator<SeenForecast> {
  let batch: Window[] = [];
  for (const window of windows) {
    batch.push(window);
    if (batch.length < BATCH_WINDOWS) continue;
    yield* await run(network, batch);
    batch = [];
  }
  if (batch.length > 0) yield* await run(network, batch);
}

async function run(network: Pick<MeasuredNetwork, 'run'>, batch: readonly Window[]): Promise<SeenForecast[]> {
  const inputs = batch.map((w) => buildModelInputs(lookbackOf(w.file, w.index), w.file.assetClass, w.file.timeframe));
  const outputs = await network.run(inputs);
  return batch.flatMap((window, i) => {
    const [input, output] = [inputs[i], outputs[i]];
    return input === undefined || output === undefined
      ? []
      : [{ window, volatility: volatilityOf(output, input.features) }];
  });
}

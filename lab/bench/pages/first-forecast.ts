/** Pages of the record show forecasts only once it has one. */
import { setTimeout } from 'node:timers/promises';
import { PUBLIC_FORECAST } from '../../../domain/forecast/models.ts';
import { recordListSchema } from '../../../domain/record/figures/track-summary.ts';
import { forecastPath, houseForecastId } from '../../../domain/share/forecast-id.ts';

const SLOT_MS = 5 * 60_000;

/** Waits for the first slot, at most five minutes. @returns the path of the newest free forecast */
export async function waitForFirstForecast(url: string): Promise<string> {
  const { exc: _, ...free } = PUBLIC_FORECAST;
  const path = `/record/records.json?${new URLSearchParams({ ...free, sealed: 'only', limit: '1' })}`;
  const untilMs = Date.now() + 2 * SLOT_MS;
  for (;;) {
    const [newest] = recordListSchema.parse(await (await fetch(url + path)).json());
    if (newest?.state === 'sealed') return forecastPath(houseForecastId(newest.seq, newest.hash));
    if (Date.now() > untilMs) throw new Error('The record has no forecast.');
    await setTimeout(1000);
  }
}

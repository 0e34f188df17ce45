/** A forecast as it is served, with the inference process, minutes before a release of the simulated calendar. */
import { expect, test } from 'vitest';
import { latestForecastSchema } from '#domain/forecast/latest-forecast.ts';
import { feedWeekSunday } from '#domain/market/calendar/forex-factory.ts';
import { weekRows } from '../../sandbox/market/dialects/reference/calendar-week.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { SHIPPED_MODELS, startWholeServer } from '../support/servers/whole-server.ts';

const MINUTE_MS = 60_000;
const MINUTES_BEFORE = 10;

describeOneDatabase('a release within a served forecast', (kind) => {
  test('widens the band from its minute on, and the answer names it', async () => {
    const week = feedWeekSunday(Date.parse('2026-12-02T12:00:00Z'));
    const cpi = weekRows('whole', week).find(({ title, country }) => country === 'USD' && title.startsWith('CPI'));
    const releasedMs = Date.parse(cpi?.date ?? '');
    const madeMs = releasedMs - MINUTES_BEFORE * MINUTE_MS;
    const clock = { offsetMs: 0, nowMs: () => madeMs + 5000, moveTo: () => undefined };
    const database = await openTestDatabase(kind);
    const server = await startWholeServer(database, { clock, modelsDir: SHIPPED_MODELS });
    try {
      const answer = await fetch(`${server.url}/forecast/latest?sym=BTCUSDT.P`);
      const { lastClose, band, releases } = latestForecastSchema.parse(await answer.json());

      const width = (minute: number): number => Math.log((band.upper80[minute] ?? 0) / lastClose);
      expect(releases?.list).toContainEqual(expect.objectContaining({ name: 'US CPI', atS: releasedMs / 1000 }));
      // Without it a minute widens the band by a twentieth.
      expect(width(MINUTES_BEFORE) / width(MINUTES_BEFORE - 1)).toBeGreaterThan(1.5);
      expect(releases?.factor).toBeGreaterThan(1.3);
    } finally {
      await server.close();
      await database.close();
    }
  });
});

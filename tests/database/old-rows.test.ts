/** Rows that are no longer needed are deleted automatically, and no others. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ACTIVITY_RETENTION_MS,
  ERROR_LOG_RETENTION_MS,
  FORECAST_RETENTION_MS,
  RESERVATION_RETENTION_MS,
  removeOldRows,
} from '../../server/operations/old-rows.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { fillUser } from '../support/worlds/filled-user.ts';

// Runs on both kinds, because the sweeps delete in batches, by SQL.
describeEachDatabase('old rows', (kind) => {
  const nowMs = Date.now();
  const never = new AbortController().signal;
  const iso = (agoMs: number) => new Date(nowMs - agoMs).toISOString();
  const HOUR_MS = 3_600_000;
  let database: Database;
  const query = (text: string, params?: readonly unknown[]) => database.query(OWNER, text, params);

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    await fillUser(database, 'ann');
    await query('delete from public.error_logs');
    await query('delete from private.prediction_reservations');
    await query('delete from private.kept_forecasts');
  });
  afterAll(() => database?.close());

  async function storeForecast(agoMs: number): Promise<unknown> {
    const [row] = await query(
      `insert into private.kept_forecasts (id, history, forecast, start, created_at)
       select gen_random_uuid(), jsonb_agg(n) filter (where n <= 150), jsonb_agg(n) filter (where n > 150), '{}', $1::text::timestamptz
         from generate_series(1, 200) n
       returning id`,
      [iso(agoMs)],
    );
    return row?.id;
  }

  async function reserve(name: string, state: string, agoMs: number): Promise<void> {
    const stored = state === 'released' ? null : await storeForecast(agoMs);
    await query(
      `insert into private.prediction_reservations
         (id, user_id, model, model_version, exc, sym, label, t0, state, kept_forecast, candles_sent, created_at, expires_at)
       select gen_random_uuid(), u.id, 'kat1', 'v', 'crypto', 'S', $1::text, (select count(*) from private.prediction_reservations),
              $2::text, $3::text::uuid, $4::int, $5::text::timestamptz, $5::text::timestamptz
         from auth.users u`,
      [name, state, stored, stored === null ? 0 : 50, iso(agoMs)],
    );
  }

  test('deletes error reports after ninety days, more than one statement takes', async () => {
    const report = 'insert into public.error_logs (error_message, received_at) select $1::text, $2::text::timestamptz';
    await query(`${report} from generate_series(1, 2001)`, ['old', iso(ERROR_LOG_RETENTION_MS + HOUR_MS)]);
    await query(report, ['kept', iso(ERROR_LOG_RETENTION_MS - HOUR_MS)]);

    expect(await removeOldRows({ database, clock: { nowMs: () => nowMs } }, never)).toMatchObject({ errorLogs: 2001 });

    expect(await query('select error_message from public.error_logs')).toEqual([{ error_message: 'kept' }]);
  });

  test('deletes activity after ninety days', async () => {
    await query('delete from public.account_events');
    const event = `insert into public.account_events (user_id, kind, action, at)
      select id, 'export', $1::text, $2::text::timestamptz from auth.users`;
    await query(event, ['old', iso(ACTIVITY_RETENTION_MS + HOUR_MS)]);
    await query(event, ['kept', iso(ACTIVITY_RETENTION_MS - HOUR_MS)]);

    expect(await removeOldRows({ database, clock: { nowMs: () => nowMs } }, never)).toMatchObject({ accountEvents: 1 });

    expect(await query('select action from public.account_events')).toEqual([{ action: 'kept' }]);
  });

  test("deletes a reservation's candles after 2 days and itself after 100, unless still reserved", async () => {
    for (const [age, agoMs] of Object.entries({
      new: FORECAST_RETENTION_MS - HOUR_MS,
      full: FORECAST_RETENTION_MS + HOUR_MS,
      old: RESERVATION_RETENTION_MS + HOUR_MS,
    }))
      for (const state of ['reserved', 'spent', 'returned', 'released']) await reserve(`${age} ${state}`, state, agoMs);

    const went = await removeOldRows({ database, clock: { nowMs: () => nowMs } }, never);

    expect(went).toEqual({ errorLogs: 0, accountEvents: 0, keptForecasts: 4, reservations: 3 });
    const rows = await query(
      `select label, kept_forecast is not null as is_full
         from private.prediction_reservations order by label collate "C"`,
    );
    expect(rows.map(({ label, is_full }) => `${label}${is_full ? ', with candles' : ''}`)).toEqual([
      'full released',
      'full reserved, with candles',
      'full returned',
      'full spent',
      'new released',
      'new reserved, with candles',
      'new returned, with candles',
      'new spent, with candles',
      'old reserved, with candles',
    ]);
  });
});

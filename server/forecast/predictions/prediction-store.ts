/** All rules are in SQL (the migration reservations); this only calls them. */
import * as z from 'zod/mini';
import { AppError, ERROR_CODES, type ErrorCode } from '#domain/errors/app-error.ts';
import type { CreatePrediction } from '#domain/forecast/create-prediction.ts';
import { type PredictionRow, predictionRowSchema } from '#domain/forecast/prediction.ts';
import {
  type StoredForecast,
  type StreamStart,
  storedForecastSchema,
  type UnsavedForecast,
} from '#domain/forecast/stream-message.ts';
import type { Candle } from '#domain/market/candle.ts';
import { TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import { type Database, type Row, SERVICE, SqlError } from '../../platform/database/database.ts';
import { groupedCalls } from '../../platform/database/grouped-calls.ts';

export interface ReservationKey {
  userId: string;
  /** Backend name: kat1, kat2_2, kat2_4. */
  model: string;
  exc: string;
  sym: string;
  timeframe: Timeframe;
}

/** A forecast as it is streamed, stored once for all who reserve it and saved for them unchanged. */
export interface SharedForecast {
  /** Derived from the content: two processes with the same forecast store it once. */
  id: string;
  /** 150 and 50 candles, exactly as saved. */
  history: readonly Candle[];
  forecast: readonly Candle[];
  /** Without a reservation id, which is each viewer's own. */
  start: StreamStart;
}

export interface NewReservation extends ReservationKey {
  /** Created by the caller, because the forecast's first event already contains it. */
  id: string;
  modelVersion: string;
  /** The picker's label, as saved. */
  label: string;
  /** Opening second of the last closed candle the model saw. */
  t0: number;
  shared: SharedForecast;
}

/** Without its forecast, which only `read` returns. */
export interface Reservation extends ReservationKey {
  id: string;
  candlesSent: number;
}

/** Whether a forecast may be computed for someone. An admin forecasts without quota, and reserves and saves nothing. */
export type Permission = { kind: 'allowed' | 'admin' } | { kind: 'refused'; code: ErrorCode };

/** For questions about a forecast: `heldT0` is the newest one that the user received, null without one. */
export type QuestionPermission =
  | { kind: 'allowed' | 'admin' }
  | { kind: 'refused'; code: ErrorCode; heldT0: number | null };

export type Reserved =
  /** `created`: the forecast that this call reserved; null: the user already held it, and it has to be read. */
  { kind: 'reserved'; reservation: Reservation; created: StoredForecast | null } | { kind: 'admin' };

export interface QuotaFigures {
  plan: string;
  isAdmin: boolean;
  /** -1: the plan has no limit. Null for an admin, who has no limit either. */
  remainingDaily: number | null;
  remainingMonthly: number | null;
}

export interface PredictionStore {
  quotaOf(userId: string): Promise<QuotaFigures>;
  /** Checked before anything is computed. `allowed` also when the forecast is already reserved. */
  permissionOf(key: ReservationKey): Promise<Permission>;
  /** Whether questions may be put, in one statement, in the order of the keys. */
  questionPermissions(keys: readonly ReservationKey[]): Promise<QuestionPermission[]>;
  /**
   * Takes one unit of quota for a forecast, which is stored once for all who reserve it. A user pays once for a
   * candle's forecast: the next time `created` is null and the existing reservation is returned.
   * @throws AppError `quota/daily-spent`, `quota/monthly-spent`, `forecast/model-locked`
   */
  reserve(reservation: NewReservation): Promise<Reserved>;
  /** Returns the unit after a failure; does nothing once a candle was sent. */
  release(reservationId: string): Promise<void>;
  /** Returns the unit of a forecast whose product ended while it was sent; does nothing once it was sent whole. */
  withdraw(reservationId: string): Promise<void>;
  /** False when the reservation was released meanwhile: then nothing may be sent. */
  markCandlesSent(reservationId: string, count: number): Promise<boolean>;
  /** The user's own reservation, for ten minutes; null when it is another user's, unknown or older. */
  find(userId: string, reservationId: string): Promise<Reservation | null>;
  /**
   * Its forecast, of which `count` candles count as sent from then on: the unit is used up. Null as for `find`.
   * @param count  1 to 50
   */
  read(userId: string, reservationId: string, count: number): Promise<StoredForecast | null>;
  unsavedOf(userId: string): Promise<UnsavedForecast[]>;
  /**
   * Streamed to this user in full; repeating it finds the same row. @throws AppError `prediction/not-streamed`,
   * `prediction/wrong-length`, `prediction/admin-saves-nothing`, `forecast/model-locked`
   */
  record(userId: string, prediction: CreatePrediction): Promise<PredictionRow>;
  /** Ends expired reservations: saves them when a candle had been sent, returns their unit otherwise. */
  settle(): Promise<{ spent: number; released: number }>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A reference to a missing row. */
const NOT_STORED = '23503';
/** How SQL says that the caller is an admin. */
const ADMIN: ErrorCode = 'prediction/admin-saves-nothing';
const refusal = z.enum(ERROR_CODES);
const whole = z.coerce.number().check(z.int());
const left = z.nullable(whole);

const reservationSchema = z.object({
  model: z.string(),
  exc: z.string(),
  sym: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  candles_sent: whole,
});
const unsavedSchema = z.object({
  id: z.string(),
  model: z.string(),
  exc: z.string(),
  sym: z.string(),
  label: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  t0: whole,
  candles_sent: whole,
  created_ms: whole,
  expires_ms: whole,
  age_ms: whole,
});

export function openPredictionStore(deps: { database: Database }): PredictionStore {
  const query = (text: string, params: readonly unknown[] = []) =>
    deps.database.query(SERVICE, text, params, { isPrepared: true });
  const storing = new WeakMap<SharedForecast, Promise<unknown>>();

  /** Runs before a forecast's first reservation; all others wait for that one statement. */
  function storeOnce(shared: SharedForecast): Promise<unknown> {
    let pending = storing.get(shared);
    if (pending === undefined) {
      const content = [shared.history, shared.forecast, shared.start].map((part) => JSON.stringify(part));
      const text = 'select private.keep_forecast($1, $2::text::jsonb, $3::text::jsonb, $4::text::jsonb)';
      pending = query(text, [shared.id, ...content]);
      storing.set(shared, pending);
      pending.catch(() => storing.delete(shared));
    }
    return pending;
  }

  const reserveOne = groupedCalls<readonly unknown[], Row>(async (wanted) =>
    inOrder(await query(RESERVE_SQL, columnsOf(wanted, 10))),
  );
  const markOne = groupedCalls<readonly unknown[], Row>(async (marks) =>
    inOrder(await query(MARK_SQL, columnsOf(marks, 2))),
  );

  async function reserveShared(wanted: NewReservation): Promise<Row> {
    const { id, userId, model, modelVersion, exc, sym, label, t0, shared, timeframe } = wanted;
    const reserveOnce = async () => {
      await storeOnce(shared);
      return reserveOne([id, userId, model, modelVersion, exc, sym, label, t0, shared.id, timeframe]);
    };
    try {
      return await reserveOnce();
    } catch (error) {
      if (!(error instanceof SqlError) || error.code !== NOT_STORED) throw error;
      // The database was restored to an earlier state, or deleted the forecast while the market did not move for days.
      storing.delete(shared);
      return reserveOnce();
    }
  }

  return {
    async quotaOf(userId) {
      const row = one(await query('select * from private.quota_of($1)', [userId]));
      const figures = z.object({
        plan: z.string(),
        is_admin: z.boolean(),
        remaining_daily: left,
        remaining_monthly: left,
      });
      const quota = figures.parse(row);
      return {
        plan: quota.plan,
        isAdmin: quota.is_admin,
        remainingDaily: quota.remaining_daily,
        remainingMonthly: quota.remaining_monthly,
      };
    },

    async permissionOf(key) {
      const text = 'select private.may_reserve($1, $2, $3, $4, $5) as refusal';
      return permissionIn(one(await query(text, valuesOf(key))));
    },

    async questionPermissions(keys) {
      const rows = inOrder(await query(CHANCE_PERMISSION_SQL, columnsOf(keys.map(valuesOf), 5)));
      return rows.map((row) => {
        const permission = permissionIn(row);
        return permission.kind === 'refused' ? { ...permission, heldT0: left.parse(row.held_t0) } : permission;
      });
    },

    async reserve(wanted) {
      const { id, userId, model, exc, sym, timeframe, shared } = wanted;
      const { outcome, reservation_id: heldId } = await reserveShared(wanted);
      if (outcome === 'reserved') {
        const start = { ...shared.start, reservationId: id };
        const [history, forecast] = [[...shared.history], [...shared.forecast]];
        const reservation = { id, userId, model, exc, sym, timeframe, candlesSent: 0 };
        // Equal to the stored row: reading that back would double the cost.
        return { kind: 'reserved', reservation, created: { start, history, forecast, state: 'reserved' } };
      }
      if (outcome === ADMIN) return { kind: 'admin' };
      if (outcome !== 'existing') throw new AppError(refusal.parse(outcome));
      const reservation = await findBy(query, userId, z.string().parse(heldId));
      // Released between the two statements: by the settlement, or after another stream's failure.
      if (!reservation) throw new AppError('forecast/unknown-reservation');
      return { kind: 'reserved', reservation, created: null };
    },

    async release(reservationId) {
      await query('select private.release_reservation($1)', [reservationId]);
    },

    async withdraw(reservationId) {
      await query('select private.withdraw_reservation($1)', [reservationId]);
    },

    async markCandlesSent(reservationId, count) {
      return (await markOne([reservationId, count])).done === true;
    },

    async find(userId, reservationId) {
      if (!UUID.test(reservationId)) return null;
      return findBy(query, userId, reservationId);
    },

    async read(userId, reservationId, count) {
      if (!UUID.test(reservationId)) return null;
      const [row] = await query('select * from private.read_forecast($1, $2, $3)', [userId, reservationId, count]);
      return row === undefined ? null : storedForecastSchema.parse(row);
    },

    async unsavedOf(userId) {
      const rows = await query(
        `select r.*, floor(extract(epoch from r.created_at) * 1000) as created_ms,
                floor(extract(epoch from r.expires_at) * 1000) as expires_ms,
                floor(extract(epoch from private.clock_now() - r.created_at) * 1000) as age_ms
           from private.unsaved_reservations_of($1) r`,
        [userId],
      );
      return rows.map(toUnsaved);
    },

    async record(userId, { model, cryptocurrency, timeframe, data }) {
      const text = 'select * from private.record_prediction($1, $2, $3, $4, $5::text::jsonb)';
      const row = one(await query(text, [userId, model, cryptocurrency, timeframe, JSON.stringify(data)]));
      if (row.outcome !== 'saved') throw new AppError(refusal.parse(row.outcome));
      return predictionRowSchema.parse(row.prediction);
    },

    async settle() {
      const row = one(await query('select * from private.settle_reservations()'));
      return z.object({ spent: whole, released: whole }).parse(row);
    },
  };
}

/** Users in one order, so that two processes never wait for each other's locks. */
const RESERVE_SQL = `
select w.nth, r.outcome, r.reservation_id from (
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
    $9::uuid[], $10::text[]) with ordinality
    as w (id, user_id, model, model_version, exc, sym, label, t0, forecast, timeframe, nth)
  order by w.user_id, w.nth) as w
cross join lateral private.reserve_prediction(
  w.id, w.user_id, w.model, w.model_version, w.exc, w.sym, w.label, w.t0, w.forecast, w.timeframe) as r`;
const MARK_SQL = `
select w.nth, private.mark_candles_sent(w.id, w.count) as done from (
  select * from unnest($1::uuid[], $2::int[]) with ordinality as w (id, count, nth) order by w.id, w.nth) as w`;

const CHANCE_PERMISSION_SQL = `
select w.nth, p.refusal, p.held_t0
  from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
    as w (user_id, model, exc, sym, timeframe, nth)
 cross join lateral private.chance_permission(w.user_id, w.model, w.exc, w.sym, w.timeframe) p`;

const valuesOf = ({ userId, model, exc, sym, timeframe }: ReservationKey) => [userId, model, exc, sym, timeframe];

function permissionIn(row: Row): Permission {
  const code = z.nullable(refusal).parse(row.refusal);
  if (code === ADMIN) return { kind: 'admin' };
  return code === null ? { kind: 'allowed' } : { kind: 'refused', code };
}

/** The values of a group, column by column. */
function columnsOf(items: readonly (readonly unknown[])[], count: number): unknown[][] {
  return Array.from({ length: count }, (_, column) => items.map((item) => item[column]));
}

/** The rows in the order of the group's items. */
function inOrder(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => Number(a.nth) - Number(b.nth));
}

type Query = (text: string, params: readonly unknown[]) => Promise<Row[]>;

async function findBy(query: Query, userId: string, id: string): Promise<Reservation | null> {
  const rows = await query('select * from private.reservation_of($1, $2)', [userId, id]);
  if (rows.length === 0) return null;
  const { candles_sent: candlesSent, ...rest } = reservationSchema.parse(rows[0]);
  return { id, userId, candlesSent, ...rest };
}

function toUnsaved(row: Row): UnsavedForecast {
  const { candles_sent, created_ms, expires_ms, age_ms, ...rest } = unsavedSchema.parse(row);
  return { ...rest, candlesSent: candles_sent, createdAtMs: created_ms, expiresAtMs: expires_ms, ageMs: age_ms };
}

function one(rows: readonly Row[]): Row {
  const row = rows[0];
  if (!row) throw new Error('the database returned no row');
  return row;
}

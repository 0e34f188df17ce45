/** One slot of the record in this process: what is due, what is written, and why the rest is missing. */
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME, TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import {
  CHANCE_MODEL,
  isChanceRecorded,
  type RecordedWindow,
  windowsAt,
} from '#domain/record/chances/chance-moments.ts';
import { isSlotDue } from '#domain/record/ledger/house-slots.ts';
import type { RecordRole } from '#domain/record/ledger/ledger.ts';
import type { MissReason } from '#domain/record/ledger/miss-reasons.ts';
import type { Forecasts } from '../../forecast/forecast.ts';
import type { ModelRegistry } from '../../forecast/models/model-registry.ts';

/** A set of models whose forecasts are recorded, and their role. */
export interface HouseIssuer {
  role: RecordRole;
  forecasts: Pick<Forecasts, 'current'>;
  /**
   * A model that is disabled or not trained is not due. One of longer candles that no one has used yet is, and so is a
   * disabled one, because the registry opens it again.
   */
  registry: Pick<ModelRegistry, 'stateOf'>;
  /** Absent: all. */
  timeframes?: readonly Timeframe[];
}

export interface DueForecast {
  symbol: MarketSymbol;
  kind: MarketKind;
  timeframe: Timeframe;
  /** The chance that this window closes above its open is due; absent: the forecast itself. */
  window?: RecordedWindow;
  model: ModelName;
  issuer: HouseIssuer;
}

/** The reason in the log and in private.track_misses. */
export interface Miss {
  due: DueForecast;
  reason: MissReason;
}

export class HouseSlot {
  readonly slotS: number;
  /** Market time within which it is written. */
  readonly withinMs: number;
  readonly #open: Set<DueForecast>;
  readonly #reasons = new Map<DueForecast, MissReason>();
  readonly dueCount: number;
  issued = 0;
  /** The slot's time is over, or all is written; its result is logged. */
  isClosed = false;
  /** Forecasts that another process had already written. */
  existing = 0;
  readonly #logged = new Set<MissReason>();
  #resting = 0;

  constructor(slotS: number, due: readonly DueForecast[], withinMs: number) {
    this.slotS = slotS;
    this.withinMs = withinMs;
    this.#open = new Set(due);
    this.dueCount = due.length;
  }

  /** By symbol and timeframe: one read of the candles serves all its models. */
  bySeries(): DueForecast[][] {
    return [...Map.groupBy(this.#open, ({ symbol, timeframe }) => `${symbol.sym} ${timeframe}`).values()];
  }

  get isDone(): boolean {
    return this.#open.size === 0;
  }

  /** Due forecasts that are skipped: no venue serves the symbol, or only with a delay. */
  get resting(): number {
    return this.#resting;
  }

  written(due: DueForecast, isNew: boolean): void {
    if (!this.#open.delete(due)) return;
    if (isNew) this.issued += 1;
    else this.existing += 1;
  }

  /** Retried until the slot's time is over. The last reason counts, except `out-of-time`, which says least. */
  failed(due: readonly DueForecast[], reason: MissReason): void {
    if (reason === 'out-of-time') return;
    for (const one of due) this.#reasons.set(one, reason);
  }

  rests(due: readonly DueForecast[]): void {
    for (const one of due) if (this.#open.delete(one)) this.#resting += 1;
  }

  /** True once per reason: without its database a slot fails dozens of times for the same one. */
  isNewReason(reason: MissReason): boolean {
    const isNew = !this.#logged.has(reason);
    this.#logged.add(reason);
    return isNew;
  }

  misses(): Miss[] {
    return [...this.#open].map((due) => ({ due, reason: this.#reasons.get(due) ?? 'out-of-time' }));
  }
}

export interface DueOptions {
  symbols: readonly MarketSymbol[];
  kindOf(symbol: MarketSymbol): MarketKind;
  issuers: readonly HouseIssuer[];
}

/** By timeframe, trading hours, kind of market and the models that can forecast now. The shortest candles come first. */
export function dueIn(slotS: number, { symbols, kindOf, issuers }: DueOptions): DueForecast[] {
  return TIMEFRAMES.flatMap((timeframe) =>
    symbols
      .filter((symbol) => isSlotDue(symbol, kindOf(symbol), slotS, timeframe))
      .flatMap((symbol) =>
        issuers
          .filter(({ timeframes = TIMEFRAMES }) => timeframes.includes(timeframe))
          .flatMap((issuer) =>
            MODEL_NAMES.filter((model) => canForecast(issuer, model, timeframe)).map((model) => ({
              symbol,
              kind: kindOf(symbol),
              timeframe,
              model,
              issuer,
            })),
          ),
      ),
  );
}

function canForecast({ registry }: HouseIssuer, model: ModelName, timeframe: Timeframe): boolean {
  const state = registry.stateOf(model, timeframe)?.state ?? 'disabled';
  return state === 'ready' || (state === 'disabled' && timeframe !== DEFAULT_TIMEFRAME);
}

/** Chances of coins, by the model that users' chances come from. A model that runs unseen has none. */
export function chancesIn(momentS: number, { symbols, kindOf, issuers }: DueOptions): DueForecast[] {
  const issuer = issuers.find(({ role }) => role === 'serving');
  if (issuer === undefined || !canForecast(issuer, CHANCE_MODEL, DEFAULT_TIMEFRAME)) return [];
  return symbols.filter(isChanceRecorded).flatMap((symbol) =>
    windowsAt(momentS).map((window) => ({
      symbol,
      kind: kindOf(symbol),
      timeframe: DEFAULT_TIMEFRAME,
      window,
      model: CHANCE_MODEL,
      issuer,
    })),
  );
}

/** Slots without a forecast, and why: the record counts them. */
import { asOwner, type Database } from '../../platform/database/database.ts';
import type { Miss } from './house-slot.ts';

export interface MissStore {
  /** Stores each miss once; the first report wins. @throws AppError `database/unavailable`, `database/busy` */
  add(slotS: number, misses: readonly Miss[]): Promise<void>;
}

export function missStore(database: Database): MissStore {
  const queries = asOwner(database);
  return {
    async add(slotS, misses) {
      if (misses.length === 0) return;
      const rows = misses.map(({ due: { symbol, kind, timeframe, window = 0, model, issuer }, reason }) => ({
        market_kind: kind,
        slot_s: slotS,
        sym: symbol.sym,
        timeframe,
        window_min: window,
        model,
        role: issuer.role,
        reason,
      }));
      // Another process may have written the forecast after this one gave up.
      await queries.query(
        `insert into private.track_misses (market_kind, slot_s, sym, timeframe, window_min, model, role, reason)
         select m.market_kind, m.slot_s, m.sym, m.timeframe, m.window_min, m.model, m.role, m.reason
           from jsonb_to_recordset($1::text::jsonb) as m
             (market_kind text, slot_s bigint, sym text, timeframe text, window_min smallint, model text, role text, reason text)
          where not exists (select from private.track_records r
                             where (r.market_kind, r.slot_s, r.sym, r.timeframe, r.window_min, r.model, r.role)
                                 = (m.market_kind, m.slot_s, m.sym, m.timeframe, m.window_min, m.model, m.role))
         on conflict do nothing`,
        [JSON.stringify(rows)],
      );
    },
  };
}

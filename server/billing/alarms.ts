/** Problems that no program can settle, for a person to resolve; logged at most once an hour. */
import type { Core } from '../core.ts';
import { type Database, SERVICE } from '../platform/database/database.ts';

export type AlarmKind =
  | 'unmapped-price'
  | 'wrong-price'
  | 'several-items'
  | 'foreign-currency'
  | 'unknown-status'
  | 'unknown-customer'
  | 'double-subscription'
  | 'subscription-gone'
  | 'refund'
  | 'dispute'
  | 'event-stuck';

export interface Alarms {
  /**
   * Never rejects. @param subject the provider's id of the object. @param details ids, amounts and codes; no secrets
   */
  raise(kind: AlarmKind, subject: string, details?: Readonly<Record<string, unknown>>): Promise<void>;
}

export function openAlarms({ database, log }: Pick<Core, 'database' | 'log'>): Alarms {
  const store = alarmStore(database);
  return {
    async raise(kind, subject, details = {}) {
      try {
        if (await store.raise(kind, subject, details)) log.error({ alarm: kind, subject, ...details }, 'billing alarm');
      } catch (error) {
        log.error({ alarm: kind, subject, err: error }, 'a billing alarm could not be stored');
      }
    },
  };
}

export interface AlarmStore {
  /** @returns true when a log line is due: the first time, then once an hour */
  raise(kind: string, subject: string, details: Readonly<Record<string, unknown>>): Promise<boolean>;
}

function alarmStore(database: Database): AlarmStore {
  return {
    async raise(kind, subject, details) {
      const rows = await database.query<{ is_due: boolean }>(
        SERVICE,
        `insert into public.billing_alarms as a (kind, subject, details) values ($1, left($2, 255), $3::jsonb)
         on conflict (kind, subject) do update
           set count = a.count + 1, last_seen_at = now(), details = excluded.details, acknowledged_at = null,
               logged_at = case when a.logged_at <= now() - interval '1 hour' then now() else a.logged_at end
         returning logged_at = now() as is_due`,
        [kind, subject, JSON.stringify(details)],
      );
      return rows[0]?.is_due === true;
    },
  };
}

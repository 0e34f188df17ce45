/** The database table of billing alarms, which a person has to resolve: one row per kind and subject. */
import { type Database, SERVICE } from '../platform/database/database.ts';

export interface AlarmStore {
  /** @returns true when a log line is due: the first time, then once an hour */
  raise(kind: string, subject: string, details: Readonly<Record<string, unknown>>): Promise<boolean>;
}

export function alarmStore(database: Database): AlarmStore {
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

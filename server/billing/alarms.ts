/** Things of billing that no program settles: kept for a person, and told in the log once an hour. */
import type { Database } from '../platform/database/database.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import { alarmStore } from './alarm-store.ts';

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
   * Never rejects: what raises an alarm goes on with its work.
   *
   * @param subject  the provider's id of what it is about
   * @param details  ids, amounts and codes; no secrets
   */
  raise(kind: AlarmKind, subject: string, details?: Readonly<Record<string, unknown>>): Promise<void>;
}

export function openAlarms({ database, log }: { database: Database; log: Logger }): Alarms {
  const store = alarmStore(database);
  return {
    async raise(kind, subject, details = {}) {
      try {
        if (await store.raise(kind, subject, details)) log.error({ alarm: kind, subject, ...details }, 'billing alarm');
      } catch (error) {
        log.error({ alarm: kind, subject, err: error }, 'a billing alarm could not be kept');
      }
    },
  };
}

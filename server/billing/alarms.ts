/** Billing problems that no program can settle: stored for a person to resolve, and logged at most once an hour. */
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
   * Never rejects, so the caller can continue its work.
   *
   * @param subject  the provider's id of the affected object
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

/** A bus and processes with a market each, for tests of sharing. A test can cut the bus and move the leadership. */
import { type Bus, openInProcessBus } from '../../platform/processes/bus.ts';
import type { Leadership } from '../../platform/processes/leadership.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import type { MarketSharing } from '../sharing/sharing.ts';

export interface TestLeadership extends Leadership {
  set(term: number | null): void;
}

export function aLeadership(term: number | null = null): TestLeadership {
  const listeners = new Set<(term: number | null) => void>();
  const own = { term };
  return {
    get term() {
      return own.term;
    },
    set(next) {
      own.term = next;
      for (const listener of listeners) listener(next);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    giveWay: async () => undefined,
    close: async () => undefined,
  };
}

/** A bus that a test can cut: then no message arrives, and the sender does not notice. */
export function aBus(): Bus & { isCut: boolean } {
  const bus = openInProcessBus({ log: createLogger('silent') });
  const cuttable = {
    ...bus,
    isCut: false,
    publish: (subject: string, message: unknown) => cuttable.isCut || bus.publish(subject, message),
    request: (...args: Parameters<Bus['request']>) =>
      cuttable.isCut ? Promise.reject(new Error('cut')) : bus.request(...args),
  };
  return cuttable;
}

export function aProcess(bus: Bus, term: number | null = null): MarketSharing & { leadership: TestLeadership } {
  return { bus, leadership: aLeadership(term), prefix: 'market.test' };
}

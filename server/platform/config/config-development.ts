/** Switches for tests and experiments. Production refuses those that change the product. */
import * as z from 'zod/mini';
import { type Refuse, readEntries } from './setting-values.ts';

export const DEVELOPMENT_FIELDS = {
  /**
   * Comma-separated: `clock` opens /dev/clock; `faults` opens /dev/market-faults and /dev/community-faults; `patient`
   * lets requests wait instead of refusing them under load; `market-days` dates the public record by the market's clock;
   * `speed=60`, `since=2025-05-04T00:00:00Z`, `seed=kat` and `start=2025-05-04T00:00:00Z` change the sandbox market;
   * `community=live` or `=sandbox` overrides what the market implies.
   */
  DEVELOPMENT: z.optional(z.string()),
};

export interface DevelopmentConfig {
  hasTestClock: boolean;
  hasFaultControl: boolean;
  /** Under load, requests wait for their turn however long it takes. For tests of something else than load. */
  isPatient: boolean;
  /** The public record's times and days follow the market's clock. For a sandbox that runs faster than real time. */
  hasMarketDays: boolean;
  /** How many times as fast as real time the sandbox market runs. */
  speed: number;
  /** When the market's clock equalled the wall clock, so that a restart continues a fast market; null: at the start. */
  sinceMs: number | null;
  seed: string;
  /** Recorded candles before this are not played; null: all are. */
  startMs: number | null;
  /** auto uses the live services with a live market, and the sandbox otherwise. */
  community: 'auto' | 'live' | 'sandbox';
}

const speedSchema = z.coerce.number().check(z.positive(), z.lte(3600));
const seedSchema = z.string().check(z.maxLength(100));
const momentSchema = z.iso.datetime({ offset: true });
const communitySchema = z.enum(['live', 'sandbox']);

export function toDevelopmentConfig(text: string | undefined, refuse: Refuse): DevelopmentConfig {
  const names = ['clock', 'faults', 'patient', 'market-days', 'speed', 'since', 'seed', 'start', 'community'] as const;
  const entries = readEntries(text, 'DEVELOPMENT', names, refuse);

  function valid<T>(name: (typeof names)[number], schema: z.ZodMiniType<T>, byDefault: T): T {
    if (entries[name] === undefined) return byDefault;
    const parsed = schema.safeParse(entries[name]);
    return parsed.success ? parsed.data : refuse(`DEVELOPMENT: ${name} is not valid.`);
  }

  function moment(name: 'since' | 'start'): number | null {
    const text = valid<string | null>(name, momentSchema, null);
    return text === null ? null : Date.parse(text);
  }

  return {
    hasTestClock: valid('clock', z.literal(''), null) !== null,
    hasFaultControl: valid('faults', z.literal(''), null) !== null,
    isPatient: valid('patient', z.literal(''), null) !== null,
    hasMarketDays: valid('market-days', z.literal(''), null) !== null,
    speed: valid('speed', speedSchema, 1),
    sinceMs: moment('since'),
    seed: valid('seed', seedSchema, 'kat'),
    startMs: moment('start'),
    community: valid<DevelopmentConfig['community']>('community', communitySchema, 'auto'),
  };
}

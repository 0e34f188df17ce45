/** The conditions of one repeated run: order, clock, zone and language. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { STRAINED, type Strain } from '../../tests/support/run/strains.ts';
import { MOVED_CLOCK_S } from '../../tests/support/servers/kat-server.ts';
import { STALLS_SEED } from '../../tests/support/stalls/process-stalls.ts';

export interface Conditions {
  /** Seed of the random order of files. */
  seed: number;
  /** The moment that the run passes half-way. null: the real time */
  border: Border | null;
  zone: string;
  language: string;
  /** What makes it slow. Stalls are drawn from the seed. */
  strains: readonly Strain[];
}

interface Border {
  name: string;
  atMs: number;
}

const ZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia'] as const;
const LANGUAGES = ['C.UTF-8', 'de_DE.UTF-8', 'tr_TR.UTF-8', 'ar_EG.UTF-8', 'ja_JP.UTF-8'] as const;

const CLOCK_SOURCE = join(import.meta.dirname, 'moved-clock.c');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** @param round  from 0: consecutive rounds differ in every respect @param nowMs  the real time */
export function conditionsOf(
  round: number,
  firstSeed: number,
  nowMs: number,
  strains: readonly Strain[] = [],
): Conditions {
  // The first round uses the real time, so that a failure only at a boundary can be distinguished from a permanent one.
  const borders = [null, ...bordersAfter(nowMs)];
  return {
    seed: firstSeed + round,
    border: borders[round % borders.length] ?? null,
    zone: ZONES[round % ZONES.length] ?? 'UTC',
    language: LANGUAGES[(round + 2) % LANGUAGES.length] ?? 'C.UTF-8',
    strains,
  };
}

export function bordersAfter(nowMs: number): Border[] {
  const now = new Date(nowMs);
  const year = now.getUTCFullYear();
  const next = (name: string, ...moments: number[]): Border => ({
    name,
    atMs: moments.find((moment) => moment > nowMs + HOUR_MS) ?? nowMs + DAY_MS,
  });
  return [
    next('midnight', Date.UTC(year, now.getUTCMonth(), now.getUTCDate() + 1), nowMs - (nowMs % DAY_MS) + 2 * DAY_MS),
    next('the end of a month', ...[1, 2, 3].map((months) => Date.UTC(year, now.getUTCMonth() + months, 1))),
    next('the end of a year', Date.UTC(year + 1, 0, 1), Date.UTC(year + 2, 0, 1)),
    // At two in the morning in New York, an hour that does not exist that day.
    next('the beginning of summer time', ...[0, 1, 2].map((years) => sundayMs(year + years, 2, 2) + 7 * HOUR_MS)),
    next('the end of summer time', ...[0, 1, 2].map((years) => sundayMs(year + years, 10, 1) + 6 * HOUR_MS)),
  ];
}

/** Midnight UTC of the nth Sunday of a month. @param month  from 0 */
function sundayMs(year: number, month: number, nth: number): number {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return Date.UTC(year, month, 1 + ((7 - first) % 7) + (nth - 1) * 7);
}

/** @example `order 17, around midnight, Asia/Kathmandu, tr_TR.UTF-8` */
export function describeConditions({ seed, border, zone, language, strains }: Conditions): string {
  const time = border === null ? 'at the real time' : `around ${border.name}`;
  return [`order ${seed}`, time, zone, language, ...strains].join(', ');
}

/**
 * Of every process of a run: servers and databases too.
 * @param halfMs  time until the run's middle
 * @param clockLibrary  null: clocks are not moved
 */
export function environmentOf(
  { seed, border, zone, language, strains }: Conditions,
  { halfMs, nowMs, clockLibrary }: { halfMs: number; nowMs: number; clockLibrary: string | null },
): Record<string, string> {
  const strained = strains.length === 0 ? {} : { [STRAINED]: strains.join() };
  const stalls = strains.includes('stalls') ? { [STALLS_SEED]: String(seed) } : {};
  const surroundings = { TZ: zone, LANG: language, LC_ALL: language, ...strained, ...stalls };
  if (border === null || clockLibrary === null) return surroundings;
  const offsetS = Math.round((border.atMs - halfMs - nowMs) / 1000);
  return {
    ...surroundings,
    LD_PRELOAD: clockLibrary,
    [MOVED_CLOCK_S]: String(offsetS),
  };
}

/** @param folder  where it is built @returns null without a C compiler: clocks cannot be moved */
export function buildClockLibrary(folder: string): string | null {
  const library = join(folder, 'moved-clock.so');
  const { status } = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, CLOCK_SOURCE], { stdio: 'inherit' });
  return status === 0 ? library : null;
}

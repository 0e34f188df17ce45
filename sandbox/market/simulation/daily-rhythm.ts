/** Activity of each minute of the day, as a factor on volatility whose mean square over traded minutes is 1. */
import type { SimulationProfile } from './simulation-profile.ts';

const DAY_MIN = 1440;
type Rhythm = SimulationProfile['rhythm'];

const bump = (x: number, middle: number, width: number): number => Math.exp(-(((x - middle) / width) ** 2));

/** Log activity by hour of the day: UTC for crypto, New York wall time for the exchanges. */
const LOG_BUSYNESS: Readonly<Record<Rhythm, (minuteOfDay: number) => number>> = {
  crypto: (minute) => {
    const hour = minute / 60;
    const day = 0.16 * Math.cos((2 * Math.PI * (hour - 17)) / 24);
    return day + 0.35 * bump(hour, 14.3, 1.6) + 0.25 * bump(hour, 0.5, 1.5) + hourly(minute);
  },
  equity: (minute) => {
    const sinceOpen = Math.max(0, minute - 570);
    const toClose = Math.max(0, 960 - minute);
    return Math.exp(-sinceOpen / 35) + 0.3 * Math.exp(-toClose / 12);
  },
  futures: (minute) => {
    const hour = minute / 60;
    return 0.5 * bump(hour, 9.7, 2) + 0.3 * bump(hour, 21.2, 1.5) - 0.3 * bump(hour, 0.5, 1.5) + hourly(minute);
  },
};

/** Orders cluster at the turn of the hour. */
function hourly(minute: number): number {
  return 0.2 * Math.exp(-(minute % 60) / 2);
}

const isTraded: Readonly<Record<Rhythm, (minuteOfDay: number) => boolean>> = {
  crypto: () => true,
  equity: (minute) => minute >= 570 && minute < 960,
  futures: (minute) => minute < 1020 || minute >= 1080,
};

const tables = new Map<Rhythm, Float64Array>();

export function rhythmTable(rhythm: Rhythm): Float64Array {
  const known = tables.get(rhythm);
  if (known !== undefined) return known;
  const table = Float64Array.from({ length: DAY_MIN }, (_, minute) => Math.exp(LOG_BUSYNESS[rhythm](minute)));
  const traded = table.filter((_, minute) => isTraded[rhythm](minute));
  const meanSquare = traded.reduce((sum, factor) => sum + factor ** 2, 0) / traded.length;
  const normalised = table.map((factor) => factor / Math.sqrt(meanSquare));
  tables.set(rhythm, normalised);
  return normalised;
}

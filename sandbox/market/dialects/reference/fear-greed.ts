/** alternative.me's Fear and Greed Index: one value a UTC day, numbers as text. */
import type { OpenDialect } from '../../dialect.ts';
import { smoothGaussianAt, streamOf } from '../../simulation/noise.ts';

const DAY_S = 86_400;
const MAX_ROWS = 365;
/** Period over which the mood changes, in days. */
const MOOD_DAYS = 12;

export const fearGreedDialect: OpenDialect = ({ clock, seed }) => {
  const stream = streamOf(seed, 'fear and greed');

  function rowOf(day: number, untilUpdateS: number | null) {
    const mood = 50 + 20 * smoothGaussianAt(stream, day, MOOD_DAYS) + 4 * smoothGaussianAt(stream + 1, day, 1);
    const value = Math.max(1, Math.min(99, Math.round(mood)));
    return {
      value: String(value),
      value_classification: classificationOf(value),
      timestamp: String(day * DAY_S),
      ...(untilUpdateS === null ? {} : { time_until_update: String(untilUpdateS) }),
    };
  }

  return {
    name: 'fear-greed',
    answer({ path, query }) {
      if (path !== '/fng/' && path !== '/fng') return { status: 404, body: { error: 'Not found' } };
      const nowS = Math.floor(clock.nowMs() / 1000);
      const today = Math.floor(nowS / DAY_S);
      const limit = Number(query.get('limit') ?? 1);
      const rows = Math.max(1, Math.min(MAX_ROWS, Number.isInteger(limit) ? limit : 1));
      const untilUpdateS = (today + 1) * DAY_S - nowS;
      const data = Array.from({ length: rows }, (_, ago) => rowOf(today - ago, ago === 0 ? untilUpdateS : null));
      return { status: 200, body: { name: 'Fear and Greed Index', data, metadata: { error: null } } };
    },
  };
};

/** The service's own labels, which differ from the product's. */
function classificationOf(value: number): string {
  if (value <= 24) return 'Extreme Fear';
  if (value <= 46) return 'Fear';
  if (value <= 54) return 'Neutral';
  return value <= 75 ? 'Greed' : 'Extreme Greed';
}

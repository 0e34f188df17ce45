/**
 * How exactly a subscriber can work out a forecast's bands from answers about chances, without a prediction: requests
 * lines at prices around the last one, draws each bar's quantiles through the answers, and compares them with the
 * bands that an administrator reads. Prints one row for each number of questions.
 */
import * as z from 'zod/mini';
import { lineAnswerSchema } from '../../../domain/chances/chance-messages.ts';
import { normalQuantile } from '../../../domain/chances/normal.ts';
import { asOwner } from '../../../server/platform/database/database.ts';
import { openProgramWorld, type Program } from '../../../tests/contract/support/services/programs.ts';

const MARKET = 'sym=ETHUSDT.P&model=lion';
/** Together fewer than a key's requests in a minute, so that all are about one forecast. */
const COUNTS = [4, 8, 16, 30];
/** The farthest lines, in relative price; the 95% band of an hour is nearer. */
const FARTHEST = 0.02;
const EDGES = { lower80: 0.9, upper80: 0.1, lower95: 0.975, upper95: 0.025 } as const;

const bandsSchema = z.object({
  lastClose: z.number(),
  firstBarOpensAt: z.string(),
  bands: z.array(z.object({ lower80: z.number(), upper80: z.number(), lower95: z.number(), upper95: z.number() })),
});

const world = await openProgramWorld('pglite');
try {
  const [subscriber, admin] = [await world.program('lion'), await world.program('admin')];
  const get = async (path: string, { key }: Program): Promise<unknown> => {
    const answer = await fetch(`${world.server.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const locked = await get(`/bands?${MARKET}`, subscriber).catch(String);
  // Begins just after a minute, so that all answers are about one forecast.
  await new Promise((resolve) => setTimeout(resolve, 62_000 - (Date.now() % 60_000)));
  const truth = bandsSchema.parse(await get(`/bands?${MARKET}`, admin));
  const rows: object[] = [];
  for (const count of COUNTS) {
    const prices = Array.from({ length: count }, (_, i) => {
      const place = (2 * (i + 0.5)) / count - 1;
      // Closer together near the last price, where the first bars' bands are.
      return truth.lastClose * Math.exp(FARTHEST * Math.sign(place) * Math.abs(place) ** 2.5);
    });
    const lines: (number | null)[][] = [];
    for (const price of prices)
      lines.push(lineAnswerSchema.parse(await get(`/chances?kind=line&${MARKET}&price=${price}`, subscriber)).above);
    const errors = truth.bands.flatMap((band, bar) =>
      Object.entries(EDGES).map(([edge, chance]) => {
        const points = prices.map((price, i) => [Math.log(price), scoreOf(lines[i]?.[bar] ?? 0.5)] as const);
        const real = band[edge as keyof typeof EDGES];
        return (
          Math.abs(Math.exp(priceAt(points, normalQuantile(1 - chance))) - real) / Math.abs(real - truth.lastClose)
        );
      }),
    );
    errors.sort((a, b) => a - b);
    const at = (share: number) => `${(100 * (errors[Math.floor(share * (errors.length - 1))] ?? 0)).toFixed(1)} %`;
    rows.push({ questions: count, medianError: at(0.5), ninetieth: at(0.9), worst: at(1) });
  }
  const spent = await asOwner(world.database).query('select 1 from private.prediction_reservations');
  console.log(
    JSON.stringify({ withoutPrediction: locked, predictionsUsed: spent.length, errorOfHalfWidth: rows }, null, 2),
  );
} finally {
  await world.close();
}

/** Normal score of the share that closes below. */
function scoreOf(above: number): number {
  return normalQuantile(Math.min(1 - 1e-9, Math.max(1e-9, 1 - above)));
}

/** Straight lines between the points, rising in both; the outermost ones go on. */
function priceAt(points: readonly (readonly [number, number])[], score: number): number {
  const after = points.findIndex(([, own]) => own >= score);
  const high = Math.max(1, after === -1 ? points.length - 1 : after);
  const [[x0, y0], [x1, y1]] = [points[high - 1] ?? [0, 0], points[high] ?? [0, 0]];
  return y1 === y0 ? x0 : x0 + ((x1 - x0) * (score - y0)) / (y1 - y0);
}

/**
 * What one more socket, stream, page load, candle or record costs, by the number that there already are: processor time
 * of the server and of PostgreSQL, so other work on the machine hardly changes it. `npm run lab -- stress growth`; options:
 * --only sockets,streams,pages,candles,records, --out FILE.json, --picture FILE.svg. About a quarter of an hour. Prints
 * one JSON document.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureCrowds } from './growth/crowd-cost.ts';
import { drawGrowth } from './growth/picture.ts';
import { measureRows } from './growth/row-cost.ts';
import { SERIES, type SeriesName, type SeriesReport, withTrend } from './growth/series.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(SERIES).join(',') },
    out: { type: 'string' },
    picture: { type: 'string' },
  },
});
const names = options.only.split(',').map((name): SeriesName => {
  if (name in SERIES) return name as SeriesName;
  throw new Error(`There is no series ${name}, only ${Object.keys(SERIES).join(', ')}.`);
});

const reports: SeriesReport[] = [];
for (const name of names) {
  const series = SERIES[name];
  const points = series.kind === 'crowd' ? await measureCrowds(series) : await measureRows(series);
  reports.push(withTrend(name, points));
  console.error(JSON.stringify(reports.at(-1)));
}
const text = JSON.stringify(reports, null, 1);
console.log(text);
if (options.out !== undefined) writeFileSync(options.out, `${text}\n`);
if (options.picture !== undefined) writeFileSync(options.picture, drawGrowth(reports));

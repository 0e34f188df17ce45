/** An example's two pictures: history with the forecast, then also with the outcome. The page writes the caption. */

import { shortName } from '../../domain/forecast/figures/figure-messages.ts';
import { HISTORY_BARS, PREDICTION_BARS } from '../../domain/forecast/window.ts';
import { CHECK_BARS, checkPoints } from '../../domain/gallery/gallery-accuracy.ts';
import { GALLERY_PICTURE, type GalleryPictureKind } from '../../domain/gallery/gallery-example.ts';
import { areaPath, candlePaths, short } from '../../domain/picture/candle-paths.ts';
import type { PicturePalette } from '../../domain/picture/palettes.ts';
import { candlesSvg, forecastGroundSvg, path } from '../../scripts/pictures/svg.ts';
import { closesOf, type FoundForecast } from './search.ts';

const { width: WIDTH, height: HEIGHT } = GALLERY_PICTURE;
/** Space at the right, so that the last check point is not cut off. */
const RIGHT = 8;
const STEP = (WIDTH - RIGHT) / PREDICTION_BARS;
/** At 74.25% of the width; web/features/gallery/gallery-card.module.css has the same value. */
const JOIN_X = HISTORY_BARS * STEP;
/** Space for the caption above and the check points below. */
const TOP = 46;
const BOTTOM = 44;
const CHECK_Y = HEIGHT - 20;
const PEN = 0.9;

export function pictureSvg(found: FoundForecast, kind: GalleryPictureKind, palette: PicturePalette): string {
  const yOf = scaleOf(found);
  const place = { step: STEP, bodyWidth: STEP * 0.62, yOf };
  const { lastClose } = closesOf(found);
  const isOutcome = kind === 'outcome';
  const history = candlePaths(found.history, { ...place, left: STEP / 2 });
  const ahead = candlePaths(isOutcome ? found.outcome : found.path, { ...place, left: JOIN_X + STEP / 2 });
  const lastY = short(yOf(lastClose));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">`,
    `<title>${found.symbol.label}, ${shortName(found.model)}: ${isOutcome ? 'outcome' : 'forecast'}</title>`,
    forecastGroundSvg({ joinX: JOIN_X, ...bandPaths(found, yOf) }, palette, GALLERY_PICTURE),
    path(`M${JOIN_X} ${lastY}H${WIDTH}`, `stroke="${palette.muted}" stroke-dasharray="2 4"`),
    candlesSvg(history, palette, false, PEN),
    candlesSvg(ahead, palette, !isOutcome, PEN),
    isOutcome ? pathLine(found, yOf, palette) + checkMarks(found, palette) : '',
    '</svg>\n',
  ].join('');
}

/** Both pictures of an example have the same scale, so that they can be compared. */
function scaleOf({ history, path: drawn, outcome, band }: FoundForecast): (price: number) => number {
  const candles = [...history, ...drawn, ...outcome];
  const high = Math.max(...candles.map((candle) => candle.high), ...band.upper95);
  const low = Math.min(...candles.map((candle) => candle.low), ...band.lower95);
  const room = HEIGHT - TOP - BOTTOM;
  return (price) => TOP + ((high - price) / (high - low)) * room;
}

function bandPaths(found: FoundForecast, yOf: (price: number) => number): { band80: string; band95: string } {
  const { band } = found;
  const { lastClose } = closesOf(found);
  const edge = (prices: readonly number[]) => [
    { x: JOIN_X, y: yOf(lastClose) },
    ...prices.map((price, i) => ({ x: aheadX(i + 1), y: yOf(price) })),
    { x: WIDTH, y: yOf(prices.at(-1) ?? lastClose) },
  ];
  return {
    band80: areaPath(edge(band.upper80), edge(band.lower80)),
    band95: areaPath(edge(band.upper95), edge(band.lower95)),
  };
}

function pathLine(found: FoundForecast, yOf: (price: number) => number, palette: PicturePalette): string {
  const { lastClose, forecast } = closesOf(found);
  const points = [
    `${JOIN_X} ${short(yOf(lastClose))}`,
    ...forecast.map((c, i) => `${short(aheadX(i + 1))} ${short(yOf(c))}`),
  ];
  return path(
    `M${points.join('L')}`,
    `fill="none" stroke="${palette.accent}" stroke-width="1.8" stroke-dasharray="5 3" stroke-linejoin="round"`,
  );
}

/** A dot for a check point that is right, a cross for one that is wrong. */
function checkMarks(found: FoundForecast, palette: PicturePalette): string {
  let dots = '';
  let crosses = '';
  for (const [i, isRight] of checkPoints(closesOf(found)).entries()) {
    const x = aheadX(CHECK_BARS[i] ?? 0);
    if (isRight) dots += `M${short(x - 4.5)} ${CHECK_Y}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z`;
    else crosses += `M${short(x - 4.5)} ${CHECK_Y - 4.5}l9 9m0-9l-9 9`;
  }
  return path(dots, `fill="${palette.text}"`) + path(crosses, `stroke="${palette.text}" stroke-width="2"`);
}

function aheadX(bar: number): number {
  return JOIN_X + bar * STEP - STEP / 2;
}

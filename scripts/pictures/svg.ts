import type { CandleField } from '#domain/picture/candle-field.ts';
import type { CandlePaths } from '#domain/picture/candle-paths.ts';
import { MARK_GRID, MARK_STROKE, MARKS, type MarkName } from '#domain/picture/mark-shapes.ts';
import type { PicturePalette } from '#domain/picture/palettes.ts';

export interface MarkPlace {
  x: number;
  y: number;
  size: number;
  colour: string;
}

export function markSvg(name: MarkName, { x, y, size, colour }: MarkPlace): string {
  const shapes = MARKS[name].map(({ d, width, isFilled, isButt }) => {
    const stroke = width === undefined ? '' : ` stroke-width="${width}"`;
    const fill = isFilled ? ` fill="${colour}"` : '';
    return `<path d="${d}"${stroke}${fill}${isButt ? ' stroke-linecap="butt"' : ''}/>`;
  });
  const place = `translate(${x} ${y}) scale(${size / MARK_GRID})`;
  const pen = `fill="none" stroke="${colour}" stroke-width="${MARK_STROKE}" stroke-linecap="round" stroke-linejoin="round"`;
  return `<g transform="${place}" ${pen}>${shapes.join('')}</g>`;
}

/** Rising candles are hollow, falling ones filled; a forecast is outlined, with its falling candles lightly filled. */
export function candlesSvg(paths: CandlePaths, palette: PicturePalette, isForecast: boolean, pen = 1.25): string {
  const { surface, up, down } = palette;
  const upFill = isForecast ? 'none' : surface;
  const downFill = isForecast ? `fill="${down}" fill-opacity=".25"` : `fill="${down}"`;
  const upPath = path(paths.upWicks + paths.upBodies, `fill="${upFill}" stroke="${up}"`);
  const downPath = path(paths.downWicks + paths.downBodies, `${downFill} stroke="${down}"`);
  return `<g stroke-width="${pen}">${upPath}${downPath}</g>`;
}

/** The forecast's background, the nested bands and the rule at the join. */
export function forecastGroundSvg(
  { joinX, band80, band95 }: Pick<CandleField, 'joinX' | 'band80' | 'band95'>,
  palette: PicturePalette,
  size: { width: number; height: number },
): string {
  const { bandColour, accent, tintOpacity, outerOpacity, innerOpacity } = palette;
  const fill = (opacity: number): string => `fill="${bandColour}" fill-opacity="${opacity}"`;
  return [
    path(`M${joinX} 0H${size.width}V${size.height}H${joinX}Z`, fill(tintOpacity)),
    path(band95, fill(outerOpacity)),
    path(band80, fill(innerOpacity)),
    path(`M${joinX} 0V${size.height}`, `stroke="${accent}"`),
  ].join('');
}

export function path(d: string, attributes: string): string {
  return d === '' ? '' : `<path d="${d}" ${attributes}/>`;
}

/** Reads a forecast's plot from the pixels of a dark picture. */
import sharp from 'sharp';

export interface PlotPlace {
  left: number;
  top: number;
  /** Of the area without the axes, in units of the whole picture's width. */
  width: number;
  height: number;
  viewWidth: number;
  historyBars: number;
}

const FORECAST_BARS = 50;
/** The 95% band is paler than this, as is the ground behind a forecast. */
const BAND_COLOUR = 25;
/** Those at which the band is read. */
export const BAND_BARS = Array.from({ length: 40 }, (_, i) => i + 8);

/** Heights as shares of the plot: of each real candle its top and bottom, and of the 80% band its edges. */
export async function readPlot(png: Buffer, { left, top, width, height, viewWidth, historyBars }: PlotPlace) {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const scale = info.width / viewWidth;
  const column = (x: number) => {
    const at = Math.round((left + x) * scale);
    const rows = Math.round(height * scale);
    const first = Math.round(top * scale);
    return Array.from({ length: rows }, (_, y) => {
      const i = ((first + y) * info.width + at) * 3;
      return [data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0] as const;
    });
  };
  const step = width / (historyBars + FORECAST_BARS);
  const candles = Array.from({ length: historyBars }, (_, bar) => {
    // A wick is thin: its strokes may lie between two columns.
    const columns = [-1, 0, 1].map((beside) => column((bar + 0.5) * step + beside / scale));
    const rows = columns[0] ?? [];
    const isCandle = rows.map((_, y) => columns.some((one) => isColoured(one[y] ?? [0, 0, 0])));
    return [isCandle.indexOf(true) / rows.length, isCandle.lastIndexOf(true) / rows.length] as const;
  });
  // Between two candles, where only the bands are.
  const bands = BAND_BARS.map((bar) => {
    const rows = column((historyBars + bar) * step);
    const isBand = rows.map(([r, , b]) => r - b > BAND_COLOUR);
    return [isBand.indexOf(true) / rows.length, isBand.lastIndexOf(true) / rows.length] as const;
  });
  return { candles, bands };
}

/** Green or red; the ground, the grid and the outcome are grey. */
function isColoured([red, green]: readonly [number, number, number]): boolean {
  return Math.abs(green - red) > 30;
}

/** The candles of the hero picture: drawn by hand as a fixed list of moves, so the picture is the same for everyone. */

export interface DrawnCandle {
  x: number;
  open: number;
  close: number;
  high: number;
  low: number;
  isForecast: boolean;
}

export interface DrawnBand {
  /** Points of a closed outline, in the picture's units. */
  outline: string;
}

/** Close-to-close moves in the picture's units; negative goes up, as the vertical axis of a picture does. */
const HISTORY = [
  -14, -26, 9, -33, 18, -15, -38, 22, 31, -17, 27, 36, -12, 29, -21, 41, 17, -30, 12, -35, -19, 24, -44, -13, 20, -27,
  14, -22, -8, 16,
];
const FORECAST = [-15, 11, -22, -12, 19, -17, 8, 25, -10, -19, -14, 21, -12, 15, -24, 10, 13];

export const PICTURE = { width: 640, height: 360, step: 13, left: 18, startY: 212 } as const;

/** x of the last real candle: where the forecast joins. */
export const JOIN_X = PICTURE.left + (HISTORY.length - 1) * PICTURE.step;

export function drawnCandles(): DrawnCandle[] {
  let y: number = PICTURE.startY;
  return [...HISTORY, ...FORECAST].map((move, index) => {
    const open = y;
    const close = y + move;
    y = close;
    // Wicks of a few fixed lengths: enough to look like a market, the same at every visit.
    const above = 5 + ((index * 7) % 13);
    const below = 5 + ((index * 5) % 12);
    return {
      x: PICTURE.left + index * PICTURE.step,
      open,
      close,
      high: Math.min(open, close) - above,
      low: Math.max(open, close) + below,
      isForecast: index >= HISTORY.length,
    };
  });
}

/** To the picture's right edge and a little past it. */
const BAND_BARS = Math.ceil((PICTURE.width - JOIN_X) / PICTURE.step);

/** A band that widens with the square root of the bars ahead, around the last real close. */
export function drawnBand(widthPerRootBar: number): DrawnBand {
  const lastClose = HISTORY.reduce((sum, move) => sum + move, PICTURE.startY);
  const upper: string[] = [];
  const lower: string[] = [];
  for (let bar = 0; bar <= BAND_BARS; bar += 0.5) {
    const x = (JOIN_X + bar * PICTURE.step).toFixed(1);
    const reach = widthPerRootBar * Math.sqrt(bar);
    upper.push(`${x},${(lastClose - reach).toFixed(1)}`);
    lower.unshift(`${x},${(lastClose + reach).toFixed(1)}`);
  }
  return { outline: [...upper, ...lower].join(' ') };
}

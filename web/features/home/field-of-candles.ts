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
  -4, -9, 3, -12, 6, -5, -14, 8, 11, -6, 9, 13, -4, 10, -8, 15, 6, -11, 4, -13, -7, 9, -16, -5, 7, -10, 5, -8, -3, 6,
];
const FORECAST = [-6, 4, -9, -5, 8, -7, 3, 10, -4, -8, -6, 9, -5, 6, -10, 4];

export const PICTURE = { width: 640, height: 360, step: 13, left: 18, startY: 196 } as const;

/** x of the last real candle: where the forecast joins. */
export const JOIN_X = PICTURE.left + (HISTORY.length - 1) * PICTURE.step;

export function drawnCandles(): DrawnCandle[] {
  let y: number = PICTURE.startY;
  return [...HISTORY, ...FORECAST].map((move, index) => {
    const open = y;
    const close = y + move;
    y = close;
    // Wicks of a few fixed lengths: enough to look like a market, the same at every visit.
    const above = 3 + ((index * 7) % 9);
    const below = 3 + ((index * 5) % 8);
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

/** A band that widens with the square root of the bars ahead, around the last real close. */
export function drawnBand(widthPerRootBar: number): DrawnBand {
  const lastClose = HISTORY.reduce((sum, move) => sum + move, PICTURE.startY);
  const upper: string[] = [];
  const lower: string[] = [];
  for (let bar = 0; bar <= FORECAST.length; bar += 0.5) {
    const x = (JOIN_X + bar * PICTURE.step).toFixed(1);
    const reach = widthPerRootBar * Math.sqrt(bar);
    upper.push(`${x},${(lastClose - reach).toFixed(1)}`);
    lower.unshift(`${x},${(lastClose + reach).toFixed(1)}`);
  }
  return { outline: [...upper, ...lower].join(' ') };
}

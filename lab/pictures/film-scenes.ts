/** The film's timeline: what is on the screen at each second, and its caption. */
import { HORIZON_BARS } from '../../domain/forecast/window.ts';

export const FILM_HISTORY = 100;
export const FILM_SECONDS = 20;
export const FRAMES_PER_SECOND = 25;

export interface FilmMoment {
  /** Candles so far; a fractional part is a candle that grows. */
  historyBars: number;
  /** Opacity of the join and its label, 0 to 1. */
  join: number;
  bandBars: number;
  pathBars: number;
  /** The path as candles (1) or as a dashed line (0). */
  candleShare: number;
  outcomeBars: number;
}

export interface Scene {
  fromS: number;
  toS: number;
  caption: string;
}

export function momentAt(second: number): FilmMoment {
  return {
    historyBars: FILM_HISTORY * part(second, 0.3, 4),
    join: part(second, 4.2, 4.8),
    bandBars: HORIZON_BARS * part(second, 6.4, 8),
    pathBars: HORIZON_BARS * part(second, 9.6, 13.4),
    candleShare: 1 - part(second, 14, 14.4),
    outcomeBars: HORIZON_BARS * part(second, 14.4, 16.8),
  };
}

/** @param within80  minutes that closed within the 80% band */
export function scenesOf(model: string, symbol: string, within80: number): Scene[] {
  return [
    { fromS: 0, toS: 4.2, caption: `Simulated candles of ${symbol}, one a minute.` },
    { fromS: 4.2, toS: 6.4, caption: `Here ${model}'s data end and its forecast begins.` },
    {
      fromS: 6.4,
      toS: 9.6,
      caption: 'First the range: on average 80% and 95% of closes should lie within these bands.',
    },
    { fromS: 9.6, toS: 14, caption: 'Then one path out of many, candle by candle. Its direction is mostly chance.' },
    { fromS: 14, toS: 17, caption: 'What followed, and the path as a dashed line.' },
    {
      fromS: 17,
      toS: FILM_SECONDS,
      caption: `It closed within the 80% band in ${within80} of 50 minutes. A chosen example, no evidence.`,
    },
  ];
}

export function sceneAt(scenes: readonly Scene[], second: number): number {
  return Math.max(
    0,
    scenes.findLastIndex(({ fromS }) => fromS <= second),
  );
}

export function captionsOf(scenes: readonly Scene[]): string {
  const cues = scenes.map(({ fromS, toS, caption }) => `${stamp(fromS)} --> ${stamp(toS)}\n${caption}\n`);
  return `WEBVTT\n\n${cues.join('\n')}`;
}

function stamp(second: number): string {
  return `00:00:${second.toFixed(3).padStart(6, '0')}`;
}

/** 0 before `from`, 1 after `to`, linear between them. */
function part(second: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (second - from) / (to - from)));
}

/** The chance that each bar closes beyond a line, and that the line is touched by then, beside the baseline's. */
import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { formatPrice } from '#domain/format/price.ts';
import { zonedClock } from '#domain/format/zoned-time.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { barsDuration } from '#domain/market/timeframe-text.ts';
import { barMinutesOf, type Timeframe } from '#domain/market/timeframes.ts';
import { useTextScale } from '../../../ui/browser/text-scale.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { type ChanceMark, type ChanceRow, ChanceTable } from './chance-table.tsx';
import { chanceText, spokenChance } from './chance-text.ts';
import type { LineReading } from './chances-api.ts';
import styles from './line-answer.module.css';

const HEIGHT = 108;
const PAD = { right: 8, top: 8 };
/** Room for '100%' and for a line of text, at the usual text size. */
const LABELS_PX = { left: 38, bottom: 22 };
const TICKS = [0, 0.25, 0.5, 0.75, 1] as const;
const AXIS_BARS = [1, 10, 20, 30, 40, 50] as const;
/** 'In twenty minutes' until another bar is chosen. */
const RESTING_BAR = 20;

export interface LineAnswerProps {
  answer: LineReading;
  line: number;
  symbol: MarketSymbol;
  timeframe: Timeframe;
}

export function LineAnswer({ answer, line, symbol, timeframe }: LineAnswerProps) {
  const { zone } = useTimeZone();
  const [bar, setBar] = useState(RESTING_BAR);
  const isAbove = line >= answer.price;
  const rows = rowsOf(answer, isAbove);
  const endMs = (answer.firstBarEndS + (bar - 1) * barMinutesOf(timeframe) * 60) * 1000;
  const place = `By ${zonedClock(endMs, zone)}, in ${barsDuration(bar, barMinutesOf(timeframe))}`;
  const beyond = isAbove ? 'above' : 'below';
  const at = (chances: readonly number[]) => chances[bar - 1] ?? Number.NaN;
  const [chance, baseline, touch] = [at(rows.beyond), at(rows.beyondBaseline), at(rows.touch)];
  return (
    <div className="steppable">
      <ChancePlot rows={rows} beyond={beyond} bar={bar} onBar={setBar} timeframe={timeframe} />
      <input
        className="key-slider"
        type="range"
        aria-label="Bars of the chances: move with the arrow keys"
        min={1}
        max={HORIZON_BARS}
        value={bar}
        aria-valuetext={`${place}: closes ${beyond} ${spokenChance(chance)}, touched ${spokenChance(touch)}`}
        onChange={(event) => setBar(event.currentTarget.valueAsNumber)}
      />
      <ChanceTable
        caption={`Chances for ${formatPrice(line, symbol.decimals)}`}
        place={place}
        rows={[
          rowOf(`closes ${beyond}`, 'beyond', chance, baseline),
          rowOf(`closes ${isAbove ? 'below' : 'above'}`, null, 1 - chance, 1 - baseline),
          rowOf('touched by then', 'touch', touch, at(rows.touchBaseline)),
        ]}
      />
    </div>
  );
}

function rowOf(name: string, mark: ChanceMark, chance: number, baseline: number): ChanceRow {
  return { name, mark, chance: chanceText(chance), baseline: chanceText(baseline) };
}

interface Rows {
  beyond: readonly number[];
  beyondBaseline: readonly number[];
  touch: readonly number[];
  touchBaseline: readonly number[];
}

function rowsOf({ above, touch, baseline }: LineReading, isAbove: boolean): Rows {
  const side = (chances: readonly number[]) => (isAbove ? chances : chances.map((chance) => 1 - chance));
  return {
    beyond: side(above),
    beyondBaseline: side(baseline.above),
    touch,
    touchBaseline: baseline.touch,
  };
}

interface ChancePlotProps {
  rows: Rows;
  beyond: string;
  bar: number;
  onBar: (bar: number) => void;
  timeframe: Timeframe;
}

function ChancePlot({ rows, beyond, bar, onBar, timeframe }: ChancePlotProps) {
  const [width, setWidth] = useState(340);
  const hostRef = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const host = hostRef.current;
    if (host === null) return;
    const observer = new ResizeObserver(() => setWidth(host.clientWidth || 340));
    observer.observe(host);
    return () => observer.disconnect();
  }, []);
  const scale = useTextScale();
  const left = LABELS_PX.left * scale;
  const [right, bottom] = [width - PAD.right, HEIGHT - LABELS_PX.bottom * scale];
  const x = (at: number) => left + ((at - 1) / (HORIZON_BARS - 1)) * (right - left);
  const y = (chance: number) => PAD.top + (1 - chance) * (bottom - PAD.top);
  // A bar that is over has no chance.
  const path = (chances: readonly number[]) =>
    chances
      .flatMap((chance, i) => (Number.isNaN(chance) ? [] : [`${x(i + 1).toFixed(1)} ${y(chance).toFixed(1)}`]))
      .map((point, i) => `${i === 0 ? 'M' : 'L'}${point}`)
      .join('');

  function point({ clientX, currentTarget }: PointerEvent<SVGSVGElement>): void {
    const share = (clientX - currentTarget.getBoundingClientRect().left - left) / (right - left);
    onBar(Math.min(HORIZON_BARS, Math.max(1, Math.round(1 + share * (HORIZON_BARS - 1)))));
  }

  const ends = (chances: readonly number[]) =>
    `${spokenChance(chances[0] ?? 0)} to ${spokenChance(chances.at(-1) ?? 0)}`;
  return (
    <div ref={hostRef} className={styles.plot}>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`Chances by bar, 1 to 50: closes ${beyond} from ${ends(rows.beyond)}, touched by then from ${ends(rows.touch)}.`}
        onPointerMove={point}
        onPointerDown={point}
      >
        {TICKS.map((tick) => (
          <g key={tick}>
            <path d={`M${left} ${y(tick)}H${right}`} className={styles.grid} />
            {tick !== 0.25 && tick !== 0.75 && (
              <text x={left - 6} y={y(tick)} className={styles.tick} textAnchor="end" dominantBaseline="central">
                {`${tick * 100}%`}
              </text>
            )}
          </g>
        ))}
        {AXIS_BARS.map((at) => (
          <text
            key={at}
            x={x(at)}
            y={HEIGHT - 6}
            className={styles.tick}
            textAnchor={at === 1 ? 'start' : at === HORIZON_BARS ? 'end' : 'middle'}
          >
            {at === HORIZON_BARS ? barsDuration(at, barMinutesOf(timeframe)) : at * barMinutesOf(timeframe)}
          </text>
        ))}
        <path d={`M${x(bar)} ${PAD.top}V${bottom}`} className={styles.here} />
        <path d={path(rows.beyondBaseline)} className={`${styles.beyondLine} ${styles.base}`} />
        <path d={path(rows.touchBaseline)} className={`${styles.touchLine} ${styles.base}`} />
        <path d={path(rows.touch)} className={styles.touchLine} />
        <path d={path(rows.beyond)} className={styles.beyondLine} />
        <circle cx={x(bar)} cy={y(rows.touch[bar - 1] ?? 0)} r="3.5" className={styles.touchDot} />
        <circle cx={x(bar)} cy={y(rows.beyond[bar - 1] ?? 0)} r="3.5" className={styles.beyondDot} />
      </svg>
    </div>
  );
}

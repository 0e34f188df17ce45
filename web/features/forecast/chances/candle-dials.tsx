/** The candles of 5, 15 and 60 minutes that are running: how likely each closes above its open. */
import { useEffect, useId, useRef, useState } from 'react';
import { WINDOW_MINUTES, type WindowMinutes } from '#domain/chances/clock-window.ts';
import { formatPercent, formatPrice } from '#domain/format/price.ts';
import { zonedClock } from '#domain/format/zoned-time.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { useNow } from '../../../ui/browser/use-now.ts';
import { classNames } from '../../../ui/styles/class-names.ts';
import styles from './candle-dials.module.css';
import { chanceText, countdownText, similarText, spokenChance, spokenCountdown } from './chance-text.ts';
import type { WindowAnswer, WindowReading } from './chances-api.ts';
import type { WindowsState } from './use-windows.ts';

/** The spoken text follows the chance at most this often, and only when it has changed by so much. */
const ANNOUNCE_EVERY_MS = 15_000;
const ANNOUNCE_STEP = 0.05;

export interface CandleDialsProps {
  windows: WindowsState;
  symbol: MarketSymbol;
}

export function CandleDials({ windows: { frame, offsetMs, problem }, symbol }: CandleDialsProps) {
  const nowMs = useNow(1000) + offsetMs;
  const [chosen, setChosen] = useState<WindowMinutes>(5);
  const name = useId();
  const answers = useLastAnswers(frame?.windows ?? null);
  const shown = answers.get(chosen);
  return (
    <fieldset className={styles.dials}>
      <legend className={styles.legend}>This candle closes above its open</legend>
      <div className={classNames(styles.three, problem !== null && 'old-figures')}>
        {WINDOW_MINUTES.map((minutes) => (
          <label key={minutes} className={styles.dial}>
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              aria-label={`${minutes} min candle`}
              checked={minutes === chosen}
              onChange={() => setChosen(minutes)}
            />
            <Dial minutes={minutes} answer={answers.get(minutes)} nowMs={nowMs} />
          </label>
        ))}
      </div>
      <div className={styles.words}>
        {problem !== null && <p className="warning">{problem.message}</p>}
        {problem === null && shown !== undefined && frame !== null && (
          <WindowText answer={shown} price={frame.price} symbol={symbol} nowMs={nowMs} />
        )}
      </div>
      <AnnouncedWindow minutes={chosen} answer={shown} nowMs={nowMs} />
    </fieldset>
  );
}

/** A window that cannot be answered keeps its last chance until the next one begins. */
interface ShownWindow {
  chance: WindowReading | null;
  refusal: string | null;
}

function useLastAnswers(answers: readonly WindowAnswer[] | null): ReadonlyMap<WindowMinutes, ShownWindow> {
  const last = useRef(new Map<WindowMinutes, WindowReading>());
  const shown = new Map<WindowMinutes, ShownWindow>();
  for (const answer of answers ?? []) {
    const { minutes } = answer;
    if ('chance' in answer) {
      last.current.set(minutes, answer);
      shown.set(minutes, { chance: answer, refusal: null });
    } else shown.set(minutes, { chance: last.current.get(minutes) ?? null, refusal: answer.message });
  }
  return shown;
}

function Dial({ minutes, answer, nowMs }: { minutes: WindowMinutes; answer: ShownWindow | undefined; nowMs: number }) {
  const chance = answer?.chance ?? null;
  const leftMs = chance === null ? null : chance.endMs - nowMs;
  const isOver = leftMs !== null && leftMs <= 0;
  return (
    <span className={classNames(styles.face, (isOver || answer?.refusal != null) && styles.old)} aria-hidden="true">
      <Arc chance={chance?.chance ?? null} baseline={chance?.baseline ?? null} />
      <span className={`figures ${styles.figure}`}>{chance === null ? '–' : chanceText(chance.chance)}</span>
      <span className={styles.minutes}>{`${minutes} min`}</span>
      <span className={`figures ${styles.left}`}>
        {leftMs === null ? '\u00a0' : isOver ? 'closing…' : countdownText(leftMs)}
      </span>
    </span>
  );
}

const CENTRE = { x: 60, y: 58 };
const RADIUS = 48;

/** From 0 at the left to 100% at the right, with a mark at 50, where neither is likelier. */
function Arc({ chance, baseline }: { chance: number | null; baseline: number | null }) {
  const tick = baseline === null ? null : [pointAt(baseline, RADIUS - 8), pointAt(baseline, RADIUS + 8)];
  return (
    <svg viewBox="0 0 120 66" className={styles.arc} aria-hidden="true">
      <path d={arc(0, 1)} className={styles.track} />
      {chance !== null && <path d={arc(0, chance)} className={styles.fill} />}
      <path d={`M${pointAt(0.5, RADIUS - 6)}L${pointAt(0.5, RADIUS + 6)}`} className={styles.middle} />
      {chance !== null && (
        <path d={`M${pointAt(chance, RADIUS - 9)}L${pointAt(chance, RADIUS + 9)}`} className={styles.needle} />
      )}
      {tick !== null && <path d={`M${tick[0]}L${tick[1]}`} className={styles.tick} />}
    </svg>
  );
}

function arc(from: number, to: number): string {
  return `M${pointAt(from, RADIUS)}A${RADIUS} ${RADIUS} 0 0 1 ${pointAt(to, RADIUS)}`;
}

function pointAt(chance: number, radius: number): string {
  const angle = Math.PI * (1 - chance);
  return `${(CENTRE.x + radius * Math.cos(angle)).toFixed(2)} ${(CENTRE.y - radius * Math.sin(angle)).toFixed(2)}`;
}

interface WindowTextProps {
  answer: ShownWindow;
  price: number;
  symbol: MarketSymbol;
  nowMs: number;
}

function WindowText({ answer: { chance, refusal }, price, symbol, nowMs }: WindowTextProps) {
  const { zone } = useTimeZone();
  if (chance === null) return <p>{refusal}</p>;
  const { openMs, endMs, open, missingMinutes } = chance;
  const [from, to] = [openMs, endMs].map((timeMs) => zonedClock(timeMs, zone));
  const isOver = endMs <= nowMs;
  return (
    <>
      <p>
        {from}–{to}: <strong className="figures">{chanceText(chance.chance)}</strong> to close above{' '}
        <span className="figures">{formatPrice(open, symbol.decimals)}</span>. Baseline{' '}
        <span className="figures">{chanceText(chance.baseline)}</span>.
      </p>
      <p className="muted">
        {isOver || refusal === null ? (
          <span>
            Now <span className="figures">{formatPercent(price / open - 1, 3)}</span> from its open.
          </span>
        ) : (
          <span>{refusal}</span>
        )}{' '}
        {missingMinutes > 0 && <span>{`It leaves out ${missingMinutes} min without a candle. `}</span>}
        <span>{similarText(chance.similar)}</span>
      </p>
    </>
  );
}

/** For screen readers, at a calm rate. */
function AnnouncedWindow({
  minutes,
  answer,
  nowMs,
}: {
  minutes: number;
  answer: ShownWindow | undefined;
  nowMs: number;
}) {
  const spoken = useRef<{ atMs: number; chance: number; of: string } | null>(null);
  const [text, setText] = useState('');
  const chance = answer?.chance ?? null;
  const refusal = answer?.refusal ?? null;
  useEffect(() => {
    if (chance === null) {
      spoken.current = null;
      setText(refusal === null ? '' : `${minutes}-minute candle: ${refusal}`);
      return;
    }
    const last = spoken.current;
    const of = `${minutes} ${chance.openMs}`;
    const isDue =
      last === null ||
      last.of !== of ||
      (nowMs - last.atMs >= ANNOUNCE_EVERY_MS && Math.abs(chance.chance - last.chance) >= ANNOUNCE_STEP);
    if (!isDue) return;
    spoken.current = { atMs: nowMs, chance: chance.chance, of };
    const left = spokenCountdown(chance.endMs - nowMs);
    setText(`${minutes}-minute candle: ${spokenChance(chance.chance)} to close above its open, ${left} left.`);
  }, [minutes, chance, refusal, nowMs]);
  return (
    <p aria-live="polite" className="visually-hidden">
      {text}
    </p>
  );
}

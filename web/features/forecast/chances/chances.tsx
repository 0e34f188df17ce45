/** Chances of the market on the chart: this candle's dials, and lines that the user puts on the chart. */
import X from 'lucide-react/icons/x';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { MODELS } from '#domain/forecast/models.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import type { CandleFeed } from '../../../charts/candles/candle-feed.ts';
import { type ChartGuest, createPriceScale } from '../../../charts/overlays/price-scale.ts';
import { CallError } from '../../../platform/calls/call-error.ts';
import { useSession } from '../../../session/session.ts';
import { Button, IconButton, LinkButton } from '../../../ui/forms/button.tsx';
import { Segmented } from '../../../ui/forms/segmented.tsx';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { EmptyState } from '../../../ui/status/state.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import { CandleDials } from './candle-dials.tsx';
import { chanceText, spokenChance, spokenLine } from './chance-text.ts';
import styles from './chances.module.css';
import { type ChanceReading, fetchChances, type MarketQuestion, type ModelMarket } from './chances-api.ts';
import { type ChartLine, ChartLines } from './chart-lines.tsx';
import { FirstAnswer } from './first-answer.tsx';
import { LineAnswer } from './line-answer.tsx';
import { PriceField } from './price-field.tsx';
import { firstPrices, type LineId, type LinePrices } from './price-line.ts';
import { type AnswerState, useAnswer } from './use-answer.ts';
import { useWindows, type WindowsState } from './use-windows.ts';

export interface ChancesProps extends ModelMarket {
  feed: CandleFeed;
  /** The chart's frame, which the lines lie over. */
  chart: RefObject<HTMLElement | null>;
  /** Gives the chart what reads its price scale. */
  onGuest: (guest: ChartGuest | null) => void;
  onClose: () => void;
  /** Of its place. */
  className?: string | undefined;
}

/** As in panel-frame.module.css: beside the chart. */
const WIDE = '(width > 68.75em)';
const PANEL_ID = 'chances';

type LineKind = 'line' | 'first';

/** The server would refuse the question with the same words. */
const SAME_SIDE = new CallError('same-side', 'Target and stop must be on both sides of the current price.', 400);

const NAMES: Readonly<Record<LineId, string>> = { line: 'Line', target: 'Target', stop: 'Stop' };

export function Chances(props: ChancesProps) {
  const { feed, symbol, timeframe, model, chart, onGuest, onClose } = props;
  const market = { symbol, timeframe, model };
  const [windows, connect] = useWindows(market);
  const price = windows.frame?.price ?? null;
  const [kind, setKind] = useState<LineKind>('line');
  const [prices, setPrices] = useState<Partial<LinePrices>>({});
  const shown: readonly LineId[] = kind === 'line' ? ['line'] : ['target', 'stop'];
  // Proposed when they are first shown: by then the price may have left where it was at the beginning.
  if (price !== null && shown.some((id) => prices[id] === undefined)) {
    const proposed = firstPrices(price, feed.series().band, symbol);
    setPrices({ ...prices, ...Object.fromEntries(shown.map((id) => [id, proposed[id]])) });
  }
  const isPassed = kind === 'first' && !isBetween(price, prices);
  const [answered, ask] = useAnswer(isPassed ? null : questionOf(market, kind, prices), fetchChances);
  const state = isPassed ? { ...answered, isPending: false, failure: SAME_SIDE } : answered;
  const move = (id: LineId, to: number) => setPrices((old) => ({ ...old, [id]: to }));

  const [scale] = useState(createPriceScale);
  useEffect(() => {
    onGuest(scale.guest);
    return () => onGuest(null);
  }, [scale, onGuest]);

  useEffect(() => {
    // Below the chart it may open out of view.
    if (!matchMedia(WIDE).matches) document.getElementById(PANEL_ID)?.scrollIntoView({ block: 'nearest' });
  }, []);

  const over = chart.current;
  const lines = shown.flatMap((id) => {
    const at = prices[id];
    return at === undefined ? [] : [{ id, name: NAMES[id], price: at, note: noteOf(state.answer, id) }];
  });
  const isRefused = windows.refusal !== null;
  return (
    <Panel
      id={PANEL_ID}
      heading="Chances"
      beside={<PriceBadge windows={windows} />}
      actions={<IconButton label="Close the chances" icon={<X size={16} aria-hidden="true" />} onClick={onClose} />}
      className={classNames(styles.panel, props.className)}
      isFlush
    >
      {windows.refusal !== null ? (
        <Refusal error={windows.refusal} market={market} onRetry={connect} />
      ) : (
        <div className={styles.body}>
          <section aria-label="This candle">
            {windows.frame === null && windows.problem === null ? (
              <Skeleton className={styles.waitingDials} />
            ) : (
              <CandleDials windows={windows} symbol={symbol} />
            )}
          </section>
          <section className={styles.lines} aria-label="Lines on the chart">
            <Segmented label="Lines on the chart" value={kind} options={KINDS} onChange={setKind} />
            <div className={styles.fields}>
              {shown.map((id) => (
                <PriceField
                  key={id}
                  label={NAMES[id]}
                  value={prices[id] ?? null}
                  price={price}
                  symbol={symbol}
                  onChange={(to) => move(id, to)}
                />
              ))}
            </div>
            <Answer state={state} kind={kind} line={prices.line ?? 0} market={market} onRetry={ask} />
            <AnnouncedAnswer state={state} lines={lines} price={price} decimals={symbol.decimals} />
          </section>
          <Limits market={market} />
        </div>
      )}
      {over !== null && !isRefused && (
        <ChartLines lines={lines} frame={over} scale={scale} symbol={symbol} price={price} onMove={move} />
      )}
    </Panel>
  );
}

const KINDS = [
  { value: 'line', label: 'A line' },
  { value: 'first', label: 'Target and stop' },
] as const;

function questionOf(
  market: ModelMarket,
  kind: LineKind,
  { line, target, stop }: Partial<LinePrices>,
): MarketQuestion | null {
  if (kind === 'line') return line === undefined ? null : { ...market, about: { kind, price: line } };
  return target === undefined || stop === undefined ? null : { ...market, about: { kind, target, stop } };
}

/** Whether a target and a stop are on both sides of the price, as far as all three are known. */
function isBetween(price: number | null, { target = Number.NaN, stop = Number.NaN }: Partial<LinePrices>): boolean {
  return price === null || !((target - price) * (stop - price) >= 0);
}

/** Beside a line on the chart. */
function noteOf(answer: ChanceReading | null, id: LineId): string | null {
  if (answer === null || (answer.kind === 'line') !== (id === 'line')) return null;
  if (answer.kind === 'line') return `touched ${chanceText(answer.touch.at(-1) ?? Number.NaN)}`;
  return `first ${chanceText(id === 'target' ? answer.target : answer.stop)}`;
}

function PriceBadge({ windows: { frame, isLost, problem } }: { windows: WindowsState }) {
  if (isLost)
    return (
      <Badge tone="warning" role="status">
        reconnecting
      </Badge>
    );
  if (problem !== null) return <Badge tone="warning">no live price</Badge>;
  return frame !== null && <Badge tone="up">live</Badge>;
}

interface AnswerProps {
  state: AnswerState<ChanceReading>;
  kind: LineKind;
  line: number;
  market: ModelMarket;
  onRetry: () => void;
}

/** The last figures stay, dimmed, while newer ones are on their way or cannot come. */
function Answer({ state: { answer, isPending, failure }, kind, line, market, onRetry }: AnswerProps) {
  const own = answer?.kind === kind ? answer : null;
  return (
    <div className={styles.answer}>
      {failure !== null && (
        <div className={styles.failure} role="status">
          <p>{messageOf(failure)}</p>
          {isUnreachable(failure) && (
            <Button size="small" onClick={onRetry}>
              Retry
            </Button>
          )}
        </div>
      )}
      {own === null ? (
        failure === null && <Skeleton className={styles.waiting} />
      ) : (
        <div className={classNames(failure !== null && 'old-figures')} aria-busy={isPending}>
          {own.kind === 'line' ? (
            <LineAnswer answer={own} line={line} {...market} />
          ) : (
            <FirstAnswer answer={own} timeframe={market.timeframe} />
          )}
        </div>
      )}
    </div>
  );
}

function messageOf(failure: unknown): string {
  if (failure instanceof CallError && failure.status > 0) return failure.message;
  return 'We couldn’t reach the server. Your lines stay, and we’ll keep trying.';
}

function isUnreachable(failure: unknown): boolean {
  return !(failure instanceof CallError) || failure.status === 0 || failure.status >= 500;
}

/** After a line came to rest, once. */
const REST_MS = 1000;

interface AnnouncedAnswerProps {
  state: AnswerState<ChanceReading>;
  lines: readonly ChartLine[];
  price: number | null;
  decimals: number;
}

function AnnouncedAnswer({ state: { answer, isPending }, lines, price, decimals }: AnnouncedAnswerProps) {
  const moved = lines.map(({ id, price: at }) => `${id} ${at}`).join();
  const [rested, setRested] = useState('');
  useEffect(() => {
    const timer = setTimeout(setRested, REST_MS, moved);
    return () => clearTimeout(timer);
  }, [moved]);
  const [spoken, setSpoken] = useState({ of: '', text: '' });
  const isDue = rested === moved && !isPending && answer !== null && spoken.of !== moved;
  if (isDue) {
    const where = lines.map((line) => `${line.name} ${spokenLine(line.price, price, decimals)}`).join('. ');
    setSpoken({ of: moved, text: `${where}. ${announcedAnswer(answer, price, lines[0]?.price ?? 0)}` });
  }
  return (
    <p aria-live="polite" className="visually-hidden">
      {spoken.text}
    </p>
  );
}

function announcedAnswer(answer: ChanceReading, price: number | null, line: number): string {
  const by = `by bar ${HORIZON_BARS}`;
  if (answer.kind === 'first')
    return `Target first ${spokenChance(answer.target)}, stop first ${spokenChance(answer.stop)}, neither ${by} ${spokenChance(answer.neither)}.`;
  const isAbove = line >= (price ?? answer.price);
  const above = answer.above.at(-1) ?? Number.NaN;
  return `Closes ${isAbove ? 'above' : 'below'} ${by} ${spokenChance(isAbove ? above : 1 - above)}, touched ${spokenChance(answer.touch.at(-1) ?? Number.NaN)}.`;
}

/** In place of the whole panel: why, and what to do next. */
function Refusal({ error, market, onRetry }: { error: CallError; market: ModelMarket; onRetry: () => void }) {
  const { user } = useSession();
  const { label } = market.symbol;
  const message = error.message.replace(/\.?$/, '.');
  return (
    <div role="status">
      {isLocked(error) ? (
        <EmptyState
          title={`Chances for ${label} come with a plan`}
          text={`${message} Chances for BTC on Bobcat’s one-minute forecast are free for everyone.`}
          action={nextStep(error, user !== null, onRetry)}
        />
      ) : (
        <EmptyState title={`No chances for ${label} now`} text={message} action={nextStep(error, true, onRetry)} />
      )}
    </div>
  );
}

function isLocked({ status }: CallError): boolean {
  return status >= 401 && status <= 403;
}

function nextStep(error: CallError, isSignedIn: boolean, onRetry: () => void): ReactNode {
  if (!isLocked(error)) return <Button onClick={onRetry}>Try again</Button>;
  if (!isSignedIn)
    return (
      <LinkButton variant="primary" to="/auth/signin?next=%2Fkat">
        Sign in
      </LinkButton>
    );
  return (
    <LinkButton variant="primary" to="/account/subscription">
      See the plans
    </LinkButton>
  );
}

function Limits({ market: { model } }: { market: ModelMarket }) {
  return (
    <p className={styles.limits}>
      {MODELS[model].label}, newest forecast. Past prices only: no news, fees or slippage. Not advice. Baseline: a
      random walk with recent volatility.
    </p>
  );
}

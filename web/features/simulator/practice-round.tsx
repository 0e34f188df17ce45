/** A round to play on the page itself, until the operator has pictures of the simulator: past candles, no account. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { counted } from '#domain/format/count.ts';
import { formatPrice, percentChange } from '#domain/format/price.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import {
  advance,
  choose,
  heldPercent,
  isOver,
  PLAYED_BARS,
  priceOf,
  type Round,
  resultPercent,
  SHOWN_BARS,
  type Side,
  shownCandles,
  startRound,
} from '#domain/simulator/round.ts';
import { SmallCandles } from '../../charts/candles/small-candles.tsx';
import { fetchCandles } from '../../site/history-api.ts';
import { useSiteSettings } from '../../site/site-settings.ts';
import { SourceBadge } from '../../site/source-badge.tsx';
import { storedValue } from '../../ui/browser/stored-value.ts';
import { Button } from '../../ui/forms/button.tsx';
import { FigureStrip, StripFigure } from '../../ui/layout/figure-strip.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { SectionHeading } from '../../ui/layout/section-heading.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { ErrorState } from '../../ui/status/state.tsx';
import styles from './practice-round.module.css';

/** Time between two candles. */
const CANDLE_MS = 500;
const COINS = SYMBOLS.filter(({ assetClass }) => assetClass === 'crypto');
const best = storedValue('localStorage', 'practice-round-best', z.number());

export function PracticeRound() {
  const settings = useSiteSettings();
  if (settings === null || settings.simulatorPictures.length > 0) return null;
  return (
    <section aria-labelledby="practice-round" className="grid gap-4">
      <SectionHeading
        id="practice-round"
        lead="An hour of past one-minute candles in half a minute. Buy, sell or stay out; each change costs what an exchange takes. No account and no money."
      >
        Play a round
      </SectionHeading>
      <Game />
    </section>
  );
}

function Game() {
  const [symbol, setSymbol] = useState<MarketSymbol>(COINS[0] ?? SYMBOLS[0]);
  const [{ number, chance }, setPlace] = useState(() => ({ number: 1, chance: Math.random() }));
  const history = useQuery({
    queryKey: ['practice-round', symbol.sym],
    queryFn: ({ signal }) => fetchCandles({ symbol, timeframe: DEFAULT_TIMEFRAME }, {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const another = () => {
    setSymbol(COINS[Math.floor(Math.random() * COINS.length)] ?? symbol);
    setPlace({ number: number + 1, chance: Math.random() });
  };
  if (history.isError)
    return (
      <Panel heading="No candles">
        <ErrorState
          title="We couldn’t load past candles."
          isPart
          onRetry={() => void history.refetch()}
          isRetrying={history.isFetching}
        />
      </Panel>
    );
  if (history.data === undefined) return <Skeleton className={styles.waiting} />;
  const round = startRound(history.data.candles, chance);
  if (round === null)
    return (
      <Panel heading={symbol.label}>
        <p className="muted">There are too few candles without a gap. Another market may have more.</p>
        <Button onClick={another}>Another market</Button>
      </Panel>
    );
  return (
    <Play
      key={number}
      symbol={symbol}
      start={round}
      source={<SourceBadge kind={history.data.marketKind} />}
      onAnother={another}
    />
  );
}

interface PlayProps {
  symbol: MarketSymbol;
  start: Round;
  source: ReactNode;
  onAnother: () => void;
}

function Play({ symbol, start, source, onAnother }: PlayProps) {
  const [round, setRound] = useState(start);
  const [isRunning, setIsRunning] = useState(false);
  const [bestPercent, setBestPercent] = useState(() => best.read());
  const isEnded = isOver(round);
  useEffect(() => {
    if (!isRunning || isEnded) return;
    const timer = setInterval(() => setRound(advance), CANDLE_MS);
    return () => clearInterval(timer);
  }, [isRunning, isEnded]);
  const result = resultPercent(round);
  useEffect(() => {
    if (!isEnded) return;
    const known = best.read();
    if (known !== null && known >= result) return;
    best.write(result);
    setBestPercent(result);
  }, [isEnded, result]);

  const left = PLAYED_BARS + SHOWN_BARS - round.arrived;
  return (
    <Panel heading={`${symbol.label}, one-minute candles`} beside={source} isFlush>
      <div className={styles.chart}>
        <SmallCandles
          candles={shownCandles(round)}
          joinS={null}
          name={`${symbol.label}, the last ${SHOWN_BARS} minutes`}
          decimals={symbol.decimals}
        />
      </div>
      <FigureStrip columns={4}>
        <StripFigure name="Price">{formatPrice(priceOf(round), symbol.decimals)}</StripFigure>
        <StripFigure name="You are">{placeText(round, symbol)}</StripFigure>
        <StripFigure name="Result after costs">{percentChange(result)}</StripFigure>
        <StripFigure name="Minutes left">{left}</StripFigure>
      </FigureStrip>
      <div className={styles.controls}>
        {isEnded ? (
          <Button variant="primary" onClick={onAnother}>
            Another round
          </Button>
        ) : (
          <Button variant="primary" onClick={() => setIsRunning(!isRunning)}>
            {isRunning ? 'Pause' : startLabel(round)}
          </Button>
        )}
        <Sides round={round} isEnded={isEnded} onChoose={(side) => setRound((now) => choose(now, side))} />
        <p role="status" className={styles.outcome}>
          {isEnded && endText(round, bestPercent)}
        </p>
      </div>
    </Panel>
  );
}

interface SidesProps {
  round: Round;
  isEnded: boolean;
  onChoose: (side: Side | null) => void;
}

function Sides({ round, isEnded, onChoose }: SidesProps) {
  return (
    <>
      <Button onClick={() => onChoose('long')} aria-pressed={round.side === 'long'} disabled={isEnded}>
        Buy
      </Button>
      <Button onClick={() => onChoose('short')} aria-pressed={round.side === 'short'} disabled={isEnded}>
        Sell
      </Button>
      <Button onClick={() => onChoose(null)} disabled={isEnded || round.side === null}>
        Close
      </Button>
    </>
  );
}

function startLabel({ arrived }: Round): string {
  return arrived === SHOWN_BARS ? 'Start' : 'Continue';
}

function placeText({ side, entryPrice }: Round, { decimals }: MarketSymbol): string {
  return side === null ? 'out' : `${side} from ${formatPrice(entryPrice, decimals)}`;
}

/** 'You made +0.23% in 4 trades; buying and holding made −0.10%. Your best round: +0.51%.' */
function endText(round: Round, bestPercent: number | null): string {
  const own = `You made ${percentChange(resultPercent(round))} in ${counted(round.trades, 'trade')}; buying and holding made ${percentChange(heldPercent(round))}.`;
  return bestPercent === null ? own : `${own} Your best round in this browser: ${percentChange(bestPercent)}.`;
}

/** Sample candles, played once and labeled as such. No request is sent until the model list is opened. */
import { useEffect, useState } from 'react';
import { NO_ENTITLEMENT } from '#domain/billing/entitlement.ts';
import type { CandleFeed } from '../../../charts/candles/candle-feed.ts';
import { useModelFigures } from '../../../site/model-figures.ts';
import { whenIdle } from '../../../ui/browser/when-due.ts';
import { LinkButton } from '../../../ui/forms/button.tsx';
import { Badge } from '../../../ui/layout/badge.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import type { ChoosePanel, PanelChoice } from '../controls/panel-choice.ts';
import { buttonRule, PredictionButton } from '../controls/prediction-button.tsx';
import { reveal } from '../run/reveal.ts';
import { Caption } from './caption.tsx';
import { demoSeries } from './demo-series.ts';
import { ForecastReadout } from './forecast-readout.tsx';
import styles from './panel-frame.module.css';
import { goToSubscription, PanelFrame, type PanelLists, type PopOut } from './panel-frame.tsx';

interface DemoPanelProps {
  feed: CandleFeed;
  choice: PanelChoice;
  choose: ChoosePanel;
  onPopOut: PopOut;
  lists: PanelLists;
  /** The session is not known yet, so nothing plays. */
  isWaiting: boolean;
  /** A user is signed in, and the live panel's code is loading. */
  isSignedIn?: boolean;
}

const RULE = buttonRule({
  isSignedIn: false,
  isPlanLoading: false,
  entitlement: NO_ENTITLEMENT,
  quota: { remainingDaily: 0, remainingMonthly: 0 },
  model: null,
  isRunning: false,
});

export function DemoPanel(props: DemoPanelProps) {
  const { feed, choice, choose, onPopOut, lists, isWaiting, isSignedIn = false } = props;
  const { symbol } = choice;
  const [round, setRound] = useState(0);
  const [hasOpened, setOpened] = useState(false);
  const figures = useModelFigures(hasOpened).data ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` plays the same demo again
  useEffect(() => {
    if (isWaiting) return;
    let stop = whenIdle(() => {
      stop = reveal(feed, demoSeries(symbol));
    });
    return () => stop();
  }, [feed, symbol, isWaiting, round]);

  return (
    <PanelFrame
      feed={feed}
      symbol={symbol}
      onSymbol={(picked) => choose({ symbol: picked })}
      model="bobcat"
      onModel={() => undefined}
      entitlement={NO_ENTITLEMENT}
      figures={figures}
      onModelsOpen={() => setOpened(true)}
      lists={lists}
      // The model list's content depends on the user.
      isModelListHeld={isWaiting}
      isDemo={!isWaiting}
      onRefresh={() => setRound((n) => n + 1)}
      onPopOut={() => onPopOut(`${symbol.label} Demo`, feed.series().candles)}
      caption={
        <Caption facts={[symbol.label, 'sample candles', 'one plausible path; 80% band']}>
          <Badge tone="warning">sample data</Badge>
        </Caption>
      }
      action={
        <>
          <PredictionButton rule={RULE} onPredict={() => undefined} onUpgrade={goToSubscription} />
          {!isSignedIn && (
            <LinkButton
              to="/auth/signin?next=%2Fkat"
              variant="primary"
              className={classNames(isWaiting && styles.visitorsOnly)}
            >
              Sign in to predict
            </LinkButton>
          )}
        </>
      }
      readout={<ForecastReadout feed={feed} symbol={symbol} model={null} />}
    />
  );
}

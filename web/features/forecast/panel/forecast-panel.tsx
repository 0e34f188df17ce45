/** The prediction panel: the demo for visitors, the live panel for signed-in users; chart, and its figures below. */
import { type ComponentType, type ReactNode, Suspense, useState } from 'react';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import { DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { createCandleFeed } from '../../../charts/candles/candle-feed.ts';
import { canvasCode } from '../../../charts/candles/canvas-code.ts';
import { useEntitlement } from '../../../session/entitlement.ts';
import { useSession } from '../../../session/session.ts';
import type { PopOut } from '../../../site/pop-out.ts';
import { lazyPart } from '../../../ui/widget.tsx';
import type { ChoosePanel, PanelChoice } from '../controls/panel-choice.ts';
import type { StarOf } from '../controls/symbol-list.tsx';
import { expectShared } from './demo-forecast.ts';
import { DemoPanel, waitingFrame } from './demo-panel.tsx';
import { type OpenState, type PanelList, PanelPlace } from './panel-frame.tsx';
import type { PanelAlerts } from './saved-alerts.tsx';

/** Streaming and its checks are only for signed-in users, so a visitor's first paint does not wait for them. */
const LivePanel = lazyPart(async () => (await import('./live-panel.tsx')).LivePanel);

/** On a visitor's pre-rendered page, the shared forecast and the chart's code load while the page hydrates. */
if (typeof document !== 'undefined' && document.querySelector('[data-candle-count]') !== null) prepareDemo();

function prepareDemo(): void {
  const isOther = document.documentElement.dataset.session === 'stored' || window.location.search.includes('sym=');
  if (isOther) return;
  expectShared();
  // If it fails to load, the chart reports it.
  canvasCode()
    .load()
    .catch(() => undefined);
}

export interface StarsProps {
  timeframe: Timeframe;
  onChange: (starOf: StarOf | null) => void;
}

export interface ForecastPanelProps {
  choice: PanelChoice;
  choose: ChoosePanel;
  onPopOut: PopOut;
  /** Beside the pickers. */
  tool?: ReactNode;
  /** Reports the stars of the list of symbols; drawn once that list opens. */
  Stars?: ComponentType<StarsProps>;
  /** Alert bells: for the prediction on the chart, once it is saved, and for the opening of a closed market. */
  alerts?: PanelAlerts | undefined;
  /** The chances beside the chart, or below it. */
  chances: OpenState;
  onSaved: (row: PredictionRow) => void;
}

export function ForecastPanel(props: ForecastPanelProps) {
  const { choice, choose, onPopOut, tool, Stars, alerts, chances, onSaved } = props;
  const { initialized, user } = useSession();
  const { isLoading, entitlement } = useEntitlement();
  const [feed] = useState(() => createCandleFeed());
  const [open, setOpen] = useState<PanelList | null>(null);
  const [isExporting, setExporting] = useState(false);
  const [starOf, setStarOf] = useState<StarOf | null>(null);
  const exporting = { isOpen: isExporting, setOpen: setExporting };
  const shared = { feed, choice, choose, onPopOut, tool, lists: { open, starOf, setOpen, chances, exporting } };
  const stars = Stars !== undefined && (open === 'symbol' || starOf !== null) && (
    <Suspense fallback={null}>
      {/* A visitor's chart stays at one minute. */}
      <Stars
        timeframe={user === null ? DEFAULT_TIMEFRAME : choice.timeframe}
        onChange={(newest) => setStarOf(() => newest)}
      />
    </Suspense>
  );

  return (
    <>
      <PanelPlace first={waitingFrame({ ...shared, isSignedIn: user !== null })}>
        {user !== null ? (
          <Suspense>
            <LivePanel
              key={user.id}
              {...shared}
              userId={user.id}
              isPlanLoading={isLoading}
              entitlement={entitlement}
              alerts={alerts}
              onSaved={onSaved}
            />
          </Suspense>
        ) : (
          initialized && <DemoPanel {...shared} />
        )}
      </PanelPlace>
      {stars}
    </>
  );
}

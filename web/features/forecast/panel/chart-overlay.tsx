import type { ReactNode } from 'react';
import { MIN_LOOKBACK_BARS } from '#domain/forecast/window.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Loader } from '../../../ui/status/loader.tsx';
import { useIsQuiet } from '../../../ui/status/quiet.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import type { ForecastState } from '../run/forecast-state.ts';
import styles from './chart-overlay.module.css';

export interface ChartOverlayProps {
  state: ForecastState;
  isEmpty: boolean;
  onResume: () => void;
  onRetry: () => void;
  onCancel: () => void;
  /** Shows candles of a minute instead; absent where these are shown. */
  onOneMinute?: (() => void) | undefined;
  /** Seconds until candles that failed to load are requested again; null: they aren't. */
  retryS: number | null;
  /** Too few candles for a forecast are all there are; null: enough, or not known. */
  tooFew: string | null;
}

export function ChartOverlay(props: ChartOverlayProps) {
  const { state, isEmpty, onResume, onRetry, onCancel, onOneMinute, retryS, tooFew } = props;
  const isQuiet = useIsQuiet();
  const oneMinute = onOneMinute && (
    <Button size="small" onClick={onOneMinute}>
      Show 1 minute
    </Button>
  );
  if ('isServerBusy' in state && state.isServerBusy) {
    const verb = state.start === null ? 'starts' : 'continues';
    return (
      <Notice text="Kat is busy." detail={`Your forecast ${verb} as soon as there is capacity.`}>
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
      </Notice>
    );
  }
  if (isEmpty && state.phase === 'loading-history') return <LoadingCandles />;
  if (state.phase === 'interrupted') {
    return (
      <Notice text={state.notice} detail="Nothing is lost. The forecast continues after the last candle.">
        <Button size="small" variant="primary" onClick={onResume}>
          Resume
        </Button>
      </Notice>
    );
  }
  if (state.phase !== 'idle') return null;
  const { notice, historyFailure } = state;
  if (historyFailure?.isServerBusy) return <BusyNotice retryS={retryS} onRetry={onRetry} />;
  if (historyFailure !== null) {
    return (
      <Notice text={notice ?? ''} detail={isQuiet ? '' : whatStillWorks(historyFailure.message)} isCentred={isEmpty}>
        <Button size="small" onClick={onRetry}>
          Retry
        </Button>
        <Countdown retryS={retryS} />
        {oneMinute}
      </Notice>
    );
  }
  if (notice !== null) {
    const detail = state.closedBy === 'refused' ? 'Nothing was charged.' : 'Click Prediction to try again.';
    return <Notice text={notice} detail={detail} />;
  }
  if (tooFew !== null) {
    return (
      <Notice text={tooFew} detail={`A forecast needs ${MIN_LOOKBACK_BARS}.`}>
        {oneMinute}
      </Notice>
    );
  }
  return null;
}

function whatStillWorks(whyFailed: string | null): string {
  if (whyFailed === null) return 'We couldn’t load any candles. Your saved predictions still work.';
  return `${whyFailed} Other symbols and your saved predictions still work.`;
}

/** The server has more to do than it can, and says so. */
export function BusyNotice({ retryS, onRetry }: { retryS: number | null; onRetry: () => void }) {
  return (
    <Notice text="Kat is busy." detail="The chart loads as soon as there is capacity." isCentred>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
      <Countdown retryS={retryS} />
    </Notice>
  );
}

/** Not announced each second. */
function Countdown({ retryS }: { retryS: number | null }) {
  return (
    <span className="figures nowrap" aria-hidden="true">
      {retryS === null ? '' : `in ${retryS} s`}
    </span>
  );
}

/** In place of an empty chart. */
export function LoadingCandles() {
  return (
    <div className="centred cover">
      <Loader text="Loading candles…" />
    </div>
  );
}

interface NoticeProps {
  text: string;
  detail: string;
  /** Centered, when there are no candles to hide. */
  isCentred?: boolean;
  children?: ReactNode;
}

function Notice({ text, detail, isCentred = false, children }: NoticeProps) {
  return (
    <div className={classNames(styles.notice, isCentred && styles.centred)} role="status">
      <p>
        <strong>{text}</strong> {detail}
      </p>
      {children}
    </div>
  );
}

/** Three steps that explain the chart: what the band means, what the path is not, when the outcome is known. */
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { zonedRecent } from '#domain/format/zoned-time.ts';
import { barsDuration } from '#domain/market/timeframe-text.ts';
import { barMinutesOf, barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import styles from './tour.module.css';
import { TourFigure } from './tour-figure.tsx';

export interface TourProps {
  /** Of the candles on the chart. */
  timeframe: Timeframe;
  /** @param isRead  the last step was reached, or the track record behind the bands */
  onEnd: (isRead: boolean) => void;
}

export function Tour({ timeframe, onEnd }: TourProps) {
  const [step, setStep] = useState(0);
  const next = useRef<HTMLButtonElement>(null);
  const { zone } = useTimeZone();
  const [startedMs] = useState(() => Date.now());
  const isOneMinute = timeframe === DEFAULT_TIMEFRAME;
  const duration = isOneMinute ? `${HORIZON_BARS} minutes` : barsDuration(HORIZON_BARS, barMinutesOf(timeframe));
  const completeMs = startedMs + HORIZON_BARS * barSecondsOf(timeframe) * 1000;
  const steps = [
    {
      title: 'The band is the forecast',
      text: (
        <>
          Each close should land inside the inner band in 8 of 10 cases, and inside the outer one in 19 of 20. A wider
          band means less certainty. The {/* This page closes with the tour: who reads on has read the bands. */}
          <Link to="/track-record" onClick={() => onEnd(true)}>
            track record
          </Link>{' '}
          shows how well that holds.
        </>
      ),
    },
    {
      title: 'The path is not a promise',
      text: 'The candles after the line are one plausible path. The thin lines are others, just as plausible. Don’t read a turn or the last candle as a target.',
    },
    {
      title: `The outcome is known after ${duration}`,
      text: `A forecast that starts now is complete at ${zonedRecent(completeMs, startedMs, zone)}. Then its saved prediction shows how many of the 50 closes were inside the 80% band, and how far the path was off.`,
    },
  ];
  const current = steps[step];
  const isLast = step === steps.length - 1;
  const goBack = () => {
    setStep(step - 1);
    // The button is about to disappear.
    if (step === 1) next.current?.focus();
  };
  return (
    <Dialog
      isOpen
      heading="How to read the chart"
      onClose={() => onEnd(isLast)}
      initialFocus={next}
      actions={
        <>
          {step > 0 && <Button onClick={goBack}>Back</Button>}
          <Button ref={next} variant="primary" onClick={() => (isLast ? onEnd(true) : setStep(step + 1))}>
            {isLast ? 'Done' : 'Next'}
          </Button>
        </>
      }
    >
      <TourFigure step={step} />
      {/* Read out as a whole at each step: the focus stays on the button. */}
      <div aria-live="polite" aria-atomic="true" className={styles.step}>
        <p className="muted size-12">{`Step ${step + 1} of ${steps.length}`}</p>
        <h3 className="size-16">{current?.title}</h3>
        <p className="muted">{current?.text}</p>
      </div>
    </Dialog>
  );
}

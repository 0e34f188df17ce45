import { useEffect, useState } from 'react';
import { useForecastRequest } from '../../../site/forecast-request.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import type { ButtonRule } from './prediction-button.tsx';

export interface RunRequest {
  rule: ButtonRule;
  isRunning: boolean;
  /** The plan, the quota or the first candles are not known yet, so the request waits. */
  isWaiting: boolean;
  onPredict: () => void;
  onUpgrade: () => void;
}

/**
 * A forecast requested outside the panel, or by a click before it is known whether one can run, does what a click on the
 * Prediction button does, and says why it doesn't run. @returns whether one waits
 */
export function useRunRequest({ rule, isRunning, isWaiting, onPredict, onUpgrade }: RunRequest): boolean {
  const [isRequested, setRequested] = useState(false);
  useForecastRequest(() => setRequested(true));
  // biome-ignore lint/correctness/useExhaustiveDependencies: both functions are new with every render
  useEffect(() => {
    if (!isRequested || isWaiting) return;
    setRequested(false);
    if (rule.click === 'predict') onPredict();
    else if (rule.click === 'upgrade') onUpgrade();
    else toast.show(isRunning ? 'A forecast is already running.' : `The forecast didn’t start: ${rule.text}.`);
  }, [isRequested, isWaiting, rule.click, rule.text, isRunning]);
  return isRequested;
}

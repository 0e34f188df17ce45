/** The chances of the running windows, live while the page is visible. */
import { useEffect, useState } from 'react';
import { CallError } from '../../../platform/calls/call-error.ts';
import { followWindows, type LiveChanceEvent, type ModelMarket, type WindowsFrame } from './chances-api.ts';

/** Shown frames are at least this far apart: four a second. */
export const SHOW_EVERY_MS = 250;

export interface WindowsState {
  /** The last one that arrived; null at first. */
  frame: WindowsFrame | null;
  /** Server's clock minus the page's. */
  offsetMs: number;
  /** The connection failed, and is being opened again. */
  isLost: boolean;
  /** The market has no chances now, a delayed price for example: new frames follow. */
  problem: CallError | null;
  /** The server refuses the connection, and says why. */
  refusal: CallError | null;
}

const NOTHING: WindowsState = { frame: null, offsetMs: 0, isLost: false, problem: null, refusal: null };

/** @returns the state, and a function that connects again after a refusal */
export function useWindows({ symbol, timeframe, model }: ModelMarket): [WindowsState, () => void] {
  const market = `${symbol.label} ${timeframe} ${model}`;
  const [state, setState] = useState({ ...NOTHING, market });
  if (state.market !== market) setState({ ...NOTHING, market });
  const [round, setRound] = useState(0);
  const isVisible = useIsVisible();

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` connects again
  useEffect(() => {
    if (!isVisible) return;
    const abort = new AbortController();
    const show = eventsShown((event) =>
      setState((old) =>
        'frame' in event
          ? { ...NOTHING, market, frame: event.frame, offsetMs: event.frame.asOfMs - Date.now() }
          : { ...old, isLost: false, problem: event.refusal },
      ),
    );
    const { signal } = abort;
    const onLost = () => setState((old) => ({ ...old, isLost: true }));
    const follow = async () => {
      for await (const event of followWindows({ symbol, timeframe, model }, signal, onLost)) show.take(event);
    };
    follow().catch((error: unknown) => {
      if (!signal.aborted && error instanceof CallError) setState((old) => ({ ...old, isLost: false, refusal: error }));
    });
    return () => {
      abort.abort();
      show.stop();
    };
  }, [symbol, timeframe, model, isVisible, round]);

  return [
    state,
    () => {
      setState((old) => ({ ...old, refusal: null }));
      setRound((n) => n + 1);
    },
  ];
}

/** Hidden pages hold no connection. */
function useIsVisible(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const read = () => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, []);
  return isVisible;
}

/** Passes the newest event on, at most four times a second. */
function eventsShown(onShow: (event: LiveChanceEvent) => void) {
  let newest: LiveChanceEvent | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    timer = undefined;
    if (newest === null) return;
    onShow(newest);
    newest = null;
    timer = setTimeout(show, SHOW_EVERY_MS);
  };
  return {
    take(event: LiveChanceEvent) {
      newest = event;
      if (timer === undefined) show();
    },
    stop: () => clearTimeout(timer),
  };
}

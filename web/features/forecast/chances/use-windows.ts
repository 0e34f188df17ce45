/** The chances of the running windows, live while the page is visible. */
import { useEffect, useState } from 'react';
import { reconnectDelayMs } from '#domain/time/backoff.ts';
import { pause } from '#domain/time/deadline.ts';
import { CallError } from '../../../platform/calls/call-error.ts';
import { type LiveChanceEvent, type ModelMarket, openWindows, type WindowsFrame } from './chances-api.ts';

/** Shown frames are at least this far apart: four a second. */
export const SHOW_EVERY_MS = 250;
/** A connection that brings nothing for so long is opened again. */
const SILENCE_MS = 20_000;

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
    follow({ symbol, timeframe, model }, signal, show.take, () => setState((old) => ({ ...old, isLost: true }))).catch(
      (error: unknown) => {
        if (!signal.aborted && error instanceof CallError)
          setState((old) => ({ ...old, isLost: false, refusal: error }));
      },
    );
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

/** Connects again until `signal` aborts. @throws CallError when the server refuses */
async function follow(
  market: ModelMarket,
  signal: AbortSignal,
  onEvent: (event: LiveChanceEvent) => void,
  onLost: () => void,
): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    const watched = new AbortController();
    const silence = silenceTimer(() => watched.abort());
    try {
      silence.restart();
      for await (const event of openWindows(market, AbortSignal.any([signal, watched.signal]))) {
        silence.restart();
        attempt = 0;
        onEvent(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof CallError && isRefusal(error)) throw error;
    } finally {
      silence.stop();
    }
    onLost();
    await pause(reconnectDelayMs(attempt, Math.random), signal).catch(() => undefined);
  }
}

/** A busy or restarting server gets another try. */
function isRefusal({ code, status }: CallError): boolean {
  return status >= 400 && status < 500 && code !== 'request/too-many';
}

function silenceTimer(onSilence: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    restart() {
      clearTimeout(timer);
      timer = setTimeout(onSilence, SILENCE_MS);
    },
    stop: () => clearTimeout(timer),
  };
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

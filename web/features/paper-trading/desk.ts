/** This tab's paper-trading engine. */
import { useSyncExternalStore } from 'react';
import { pageState } from '../../page-state.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { createPaperDesk, type DeskState, type PaperDesk } from './paper-desk.ts';
import { liveNowMs, watchPrice } from './paper-trading-api.ts';

const TONES = { success: 'success', error: 'error', plain: 'show' } as const;

const tab = pageState<{ desk: PaperDesk }>(() => ({
  desk: createPaperDesk({
    nowMs: liveNowMs,
    wallMs: () => Date.now(),
    after(ms, run) {
      const timer = window.setTimeout(run, ms);
      return () => window.clearTimeout(timer);
    },
    watchPrice,
    tell: (tone, text) => void toast[TONES[tone]](text),
  }),
}));

export function paperDesk(): PaperDesk {
  return tab().desk;
}

export function useDesk(): DeskState {
  const { subscribe, state } = paperDesk();
  return useSyncExternalStore(subscribe, state);
}

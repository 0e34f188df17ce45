/** This tab's paper-trading desk. */
import { useSyncExternalStore } from 'react';
import { toast } from '../../ui/toast.ts';
import { createPaperDesk, type DeskState, type PaperDesk } from './paper-desk.ts';
import { liveNowMs, watchPrice } from './paper-trading-api.ts';

const TONES = { success: toast.success, error: toast.error, plain: toast.show } as const;

export const desk: PaperDesk = createPaperDesk({
  nowMs: liveNowMs,
  wallMs: () => Date.now(),
  after(ms, run) {
    const timer = window.setTimeout(run, ms);
    return () => window.clearTimeout(timer);
  },
  watchPrice,
  tell: (tone, text) => void TONES[tone](text),
});

export function useDesk(): DeskState {
  return useSyncExternalStore(desk.subscribe, desk.state);
}

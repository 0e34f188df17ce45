/** The one engine of a tab: a trade continues while the user visits other pages. */
import { useSyncExternalStore } from 'react';
import { pageState } from '../../page-state.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { createPaperEngine, type PaperEngine, type PaperState } from './paper-engine.ts';
import { liveNowMs, watchPrice } from './paper-trading-api.ts';

const TONES = { success: 'success', error: 'error', plain: 'show' } as const;

const tab = pageState<{ engine: PaperEngine }>(() => ({
  engine: createPaperEngine({
    nowMs: liveNowMs,
    wallMs: () => Date.now(),
    after(ms, run) {
      const timer = window.setTimeout(run, ms);
      return () => window.clearTimeout(timer);
    },
    watchPrice,
    showMessage: (tone, text) => void toast[TONES[tone]](text),
  }),
}));

export function paperEngine(): PaperEngine {
  return tab().engine;
}

export function usePaperTrades(): PaperState {
  const { subscribe, state } = paperEngine();
  return useSyncExternalStore(subscribe, state);
}

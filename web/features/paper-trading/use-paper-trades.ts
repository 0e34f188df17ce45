/** The one engine of a tab: a trade continues while the user visits other pages. */
import { useEffect, useSyncExternalStore } from 'react';
import { pageState, timersUntil } from '../../page-state.ts';
import { reportError } from '../../platform/error-log.ts';
import { useSession } from '../../session/session.ts';
import { randomId } from '../../ui/browser/random-id.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { createPaperEngine, type PaperEngine, type PaperState } from './paper-engine.ts';
import type { ClosedTrade } from './paper-trade.ts';
import { liveNowMs, watchPrice } from './paper-trading-api.ts';

const TONES = { success: 'success', error: 'error', plain: 'show' } as const;

interface Tab {
  /** The account that is signed in; null for a visitor. */
  owner: string | null;
  engine: PaperEngine;
  ended: AbortController;
}

const tab: () => Tab = pageState<Tab>(
  () => {
    const ended = new AbortController();
    return { owner: null, engine: openEngine(ended.signal), ended };
  },
  ({ ended }) => ended.abort(),
);

function openEngine(signal: AbortSignal): PaperEngine {
  return createPaperEngine({
    nowMs: liveNowMs,
    wallMs: () => Date.now(),
    after: timersUntil(signal),
    watchPrice,
    showMessage: (tone, text) => void toast[TONES[tone]](text),
    newId: randomId,
    owner: () => tab().owner,
    store: (trade) => void store(trade),
  });
}

async function store(trade: ClosedTrade): Promise<void> {
  try {
    await (await import('./stored/store-trade.ts')).storeTrade(trade);
  } catch (error) {
    reportError(error, { where: 'paper trades' });
    toast.error('We couldn’t store this trade. You can go on trading.');
  }
}

export function paperEngine(): PaperEngine {
  return tab().engine;
}

export function usePaperTrades(): PaperState {
  const { subscribe, state, leave } = paperEngine();
  const { initialized, user } = useSession();
  const owner = user?.id ?? null;
  useEffect(() => {
    if (!initialized) return;
    tab().owner = owner;
    leave(owner);
  }, [initialized, owner, leave]);
  return useSyncExternalStore(subscribe, state);
}

/**
 * At most one open trade, closed by hand or after 60 seconds. The engine outlives its page, so that a trade ends on
 * time on any page. An open trade lives in memory and ends with the tab; a closed one is stored.
 * A price counts only while confirmed by the feed within five seconds ('No live price yet'). After 60 seconds the price
 * of exactly that moment counts; without one the trade ends without a result, because no one could have traded at a
 * price that no one saw. A delayed price counts and is labelled: no money is at stake, and six of the ten symbols often
 * have no other.
 * A result of 0 shows 'Closed: profit', because it is no loss, but without the success tone.
 */
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { AUTO_CLOSE_MS, pnlOf, TRADE_SIZE, type TradeSide } from '#domain/paper-trading/trade-rules.ts';
import type { LivePrice } from './live-price.ts';
import type { ClosedTrade, OpenTrade } from './paper-trade.ts';

export interface PaperPorts {
  /** Monotonic. */
  nowMs(): number;
  /** Epoch milliseconds. */
  wallMs(): number;
  after(ms: number, run: () => void): () => void;
  /** The live price of a symbol, updated until `stop`. */
  watchPrice(symbol: MarketSymbol): { price: LivePrice; stop(): void };
  showMessage(tone: 'success' | 'error' | 'plain', text: string): void;
  newId(): string;
  /** Of the account that is signed in; null for a visitor. */
  owner(): string | null;
  store(trade: ClosedTrade): void;
}

export interface PaperState {
  open: OpenTrade | null;
  /** The one that closed last in this tab. */
  last: ClosedTrade | null;
}

export interface PaperEngine {
  state(): PaperState;
  subscribe(onChange: () => void): () => void;
  buy(symbol: MarketSymbol): void;
  sell(symbol: MarketSymbol): void;
  close(): void;
  /** Closes the trade of an account that is no longer signed in, without a message. */
  leave(owner: string | null): void;
  /** The open trade's current result; null without a trade or a live price. */
  running(): number | null;
  /** Milliseconds until the open trade closes automatically. */
  remainingMs(): number | null;
}

export function createPaperEngine(ports: PaperPorts): PaperEngine {
  let state: PaperState = { open: null, last: null };
  let feed: { price: LivePrice; stop(): void } | null = null;
  let cancel = () => {};
  const listeners = new Set<() => void>();

  function set(next: PaperState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function press(side: TradeSide, symbol: MarketSymbol): void {
    if (state.open !== null) {
      if (state.open.side === side) ports.showMessage('error', 'Trade already open');
      else closeByHand();
      return;
    }
    const watched = ports.watchPrice(symbol);
    const nowMs = ports.nowMs();
    const entryPrice = watched.price.priceAt(nowMs);
    if (entryPrice === null) {
      watched.stop();
      ports.showMessage('error', 'No live price yet');
      return;
    }
    feed = watched;
    cancel = ports.after(AUTO_CLOSE_MS, () => end(nowMs + AUTO_CLOSE_MS));
    const times = { openedAt: ports.wallMs(), openedAtMs: nowMs };
    const [id, owner] = [ports.newId(), ports.owner()];
    set({ ...state, open: { id, owner, symbol, side, size: TRADE_SIZE, entryPrice, ...times } });
  }

  function closeByHand(): void {
    const { open } = state;
    if (open === null) {
      ports.showMessage('error', 'No trade open');
      return;
    }
    const nowMs = ports.nowMs();
    // The timer is late, as in a suspended tab: the sixty seconds count, not the click.
    if (nowMs - open.openedAtMs >= AUTO_CLOSE_MS) {
      end(open.openedAtMs + AUTO_CLOSE_MS);
      return;
    }
    if ((feed?.price.priceAt(nowMs) ?? null) === null) {
      ports.showMessage('error', 'No live price yet');
      return;
    }
    const pnl = end(nowMs);
    ports.showMessage(
      pnl !== null && pnl > 0 ? 'success' : 'plain',
      pnl !== null && pnl < 0 ? 'Closed: loss' : 'Closed: profit',
    );
  }

  /** @param atMs  the moment whose price counts */
  function end(atMs: number): number | null {
    const { open } = state;
    if (open === null) return null;
    const exitPrice = feed?.price.priceAt(atMs) ?? null;
    const pnl = exitPrice === null ? null : pnlOf(open, exitPrice);
    cancel();
    feed?.stop();
    feed = null;
    const { openedAtMs, size: _, ...trade } = open;
    const closedAt = Math.round(open.openedAt + atMs - openedAtMs);
    const closed = { ...trade, sym: open.symbol.sym, exitPrice, closedAt };
    ports.store(closed);
    set({ open: null, last: closed });
    return pnl;
  }

  return {
    state: () => state,
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    buy: (symbol) => press('long', symbol),
    sell: (symbol) => press('short', symbol),
    close: closeByHand,
    leave(owner) {
      const { open } = state;
      if (open === null || open.owner === null || open.owner === owner) return;
      end(Math.min(ports.nowMs(), open.openedAtMs + AUTO_CLOSE_MS));
    },
    running() {
      const price = feed?.price.priceAt(ports.nowMs()) ?? null;
      return state.open === null || price === null ? null : pnlOf(state.open, price);
    },
    remainingMs: () =>
      state.open === null ? null : Math.max(0, state.open.openedAtMs + AUTO_CLOSE_MS - ports.nowMs()),
  };
}

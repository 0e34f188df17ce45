/**
 * Closed trades in this browser: a visitor's, and those of accounts that do not have them yet. Storage may be blocked or
 * full; then they last as long as the page.
 */
import { useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import { MOST_TRADES, type PaperTrade, paperTradeSchema } from '#domain/paper-trading/paper-trade.ts';
import { pageState } from '../../../page-state.ts';
import { storedValue } from '../../../ui/browser/stored-value.ts';
import { LOCAL_TRADES_KEY } from './use-book-due.ts';

const entrySchema = z.object({
  /** An account's id; null for a visitor. */
  owner: z.nullable(z.string().check(z.maxLength(64))),
  trade: paperTradeSchema,
});
type Entry = z.infer<typeof entrySchema>;

const stored = storedValue('localStorage', LOCAL_TRADES_KEY, z.array(z.unknown()));

export interface LocalTrades {
  entries: readonly Entry[];
  /** The browser refused to store them. */
  isUnstored: boolean;
}

interface LocalState {
  shown: LocalTrades | null;
  listeners: Set<() => void>;
  ended: AbortController;
}

const local = pageState<LocalState>(
  () => ({ shown: null, listeners: new Set(), ended: new AbortController() }),
  ({ ended }) => ended.abort(),
);

/** One that is damaged loses no other. */
function readEntries(): Entry[] {
  return (stored.read() ?? []).flatMap((entry) => {
    const parsed = entrySchema.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

export function localTrades(): LocalTrades {
  const page = local();
  page.shown ??= { entries: readEntries(), isUnstored: false };
  return page.shown;
}

/** As they are stored now: another tab may have added some. */
function entriesNow(): readonly Entry[] {
  const { entries, isUnstored } = localTrades();
  return isUnstored ? entries : readEntries();
}

export function addLocalTrade(owner: string | null, trade: PaperTrade): void {
  write([{ owner, trade }, ...entriesNow().filter((entry) => entry.trade.id !== trade.id)]);
}

/** A visitor's trades become those of the account, before they are sent: no second account receives them. */
export function giveLocalTrades(owner: string): void {
  const entries = entriesNow();
  if (entries.some((entry) => entry.owner === null))
    write(entries.map((entry) => (entry.owner === null ? { ...entry, owner } : entry)));
}

export function removeLocalTrades(ids: ReadonlySet<string>): void {
  write(entriesNow().filter(({ trade }) => !ids.has(trade.id)));
}

export function tradesOf({ entries }: LocalTrades, owner: string | null): PaperTrade[] {
  return entries.filter((entry) => entry.owner === owner).map(({ trade }) => trade);
}

export function useLocalTrades(): LocalTrades {
  return useSyncExternalStore(subscribe, localTrades, localTrades);
}

function write(entries: readonly Entry[]): void {
  const newest = newestOfEach(entries);
  const isWritten = stored.write(newest.length === 0 ? null : newest);
  show(local(), { entries: newest, isUnstored: !isWritten && newest.length > 0 });
}

/** The newest of each owner, so that no other user of the browser displaces what an account does not have yet. */
function newestOfEach(entries: readonly Entry[]): Entry[] {
  const counts = new Map<string | null, number>();
  return entries.filter(({ owner }) => {
    const count = (counts.get(owner) ?? 0) + 1;
    counts.set(owner, count);
    return count <= MOST_TRADES && counts.size <= MOST_OWNERS;
  });
}

/** More accounts in one browser than anyone has. */
const MOST_OWNERS = 4;

function show(page: LocalState, trades: LocalTrades): void {
  page.shown = trades;
  for (const listener of page.listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const page = local();
  const { signal } = page.ended;
  const onStorage = ({ key }: StorageEvent) => {
    if (key === LOCAL_TRADES_KEY || key === null) show(page, { entries: readEntries(), isUnstored: false });
  };
  if (page.listeners.size === 0) window.addEventListener('storage', onStorage, { signal });
  page.listeners.add(listener);
  return () => page.listeners.delete(listener);
}

/** Sends an account's trades from this browser until the account has them. */
import { MOST_TRADES_A_CALL, mergeTrades, type PaperTrade } from '#domain/paper-trading/paper-trade.ts';
import { pageState } from '../../../page-state.ts';
import { reportError } from '../../../platform/error-log.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { isRefused, storeTrades } from './account-trades-api.ts';
import { localTrades, removeLocalTrades, tradesOf } from './local-trades.ts';

const FIRST_RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 300_000;

export interface SendOutcome {
  /** The last try failed, and another one follows. */
  hasFailed: boolean;
  /** Ids that the database refuses; they stay in this browser. */
  refused: ReadonlySet<string>;
}

interface SendState {
  /** Whose trades are sent; null while no account is signed in. */
  userId: string | null;
  isSending: boolean;
  failures: number;
  retry: ReturnType<typeof setTimeout> | undefined;
  outcome: SendOutcome;
  listeners: Set<() => void>;
}

const sending = pageState<SendState>(
  () => ({
    userId: null,
    isSending: false,
    failures: 0,
    retry: undefined,
    outcome: { hasFailed: false, refused: new Set() },
    listeners: new Set(),
  }),
  stop,
);

export const tradesKey = (userId: string) => ['paper-trades', userId];

export function sendOutcome(): SendOutcome {
  return sending().outcome;
}

/** @returns a function that stops listening */
export function onSendChange(listener: () => void): () => void {
  const { listeners } = sending();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Sends this account's trades from now on. @returns a function that stops it, as at sign-out */
export function startSending(userId: string): () => void {
  const page = sending();
  stop(page);
  page.userId = userId;
  page.failures = 0;
  report(page, { hasFailed: false });
  const now = () => void sendTrades();
  window.addEventListener('online', now);
  now();
  return () => {
    window.removeEventListener('online', now);
    if (page.userId === userId) stop(page);
  };
}

function stop(page: SendState): void {
  clearTimeout(page.retry);
  page.userId = null;
}

/** Never rejects: a failure is retried, and the trades stay here meanwhile. */
export async function sendTrades(): Promise<void> {
  const page = sending();
  const { userId } = page;
  if (page.isSending || userId === null) return;
  page.isSending = true;
  clearTimeout(page.retry);
  const isOver = () => page.userId !== userId;
  try {
    await sendAll(page, userId, isOver);
    page.failures = 0;
  } catch (error) {
    reportError(error, { where: 'paper trades' });
    page.failures += 1;
    if (!isOver()) page.retry = setTimeout(sendTrades, retryDelayMs(page.failures));
  }
  page.isSending = false;
  report(page, { hasFailed: page.failures > 0 });
  // Another account has signed in meanwhile.
  if (isOver() && page.userId !== null) await sendTrades();
}

function retryDelayMs(failures: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
}

async function sendAll(page: SendState, userId: string, isOver: () => boolean): Promise<void> {
  let most = MOST_TRADES_A_CALL;
  while (!isOver()) {
    const waiting = tradesOf(localTrades(), userId).filter(({ id }) => !page.outcome.refused.has(id));
    const batch = waiting.slice(-most);
    const [first] = batch;
    if (first === undefined) return;
    try {
      await storeTrades(userId, batch);
    } catch (error) {
      if (!isRefused(error)) throw error;
      // One by one the others are stored.
      if (batch.length === 1) report(page, { refused: new Set([...page.outcome.refused, first.id]) });
      most = 1;
      continue;
    }
    if (isOver()) return;
    await showStored(userId, batch);
  }
}

/** They are on the account's list before they leave this browser's. */
async function showStored(userId: string, trades: readonly PaperTrade[]): Promise<void> {
  const queryKey = tradesKey(userId);
  // An answer that is on its way may be from before.
  await queryClient.cancelQueries({ queryKey });
  const listed = queryClient.getQueryData<readonly PaperTrade[]>(queryKey);
  if (listed === undefined) await queryClient.refetchQueries({ queryKey, type: 'active' });
  else queryClient.setQueryData(queryKey, mergeTrades(listed, trades));
  removeLocalTrades(new Set(trades.map(({ id }) => id)));
}

function report(page: SendState, change: Partial<SendOutcome>): void {
  page.outcome = { ...page.outcome, ...change };
  for (const listener of page.listeners) listener();
}

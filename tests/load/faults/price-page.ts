/** A page that shows a node's live prices: records when they came, and the longest gap. */
import WebSocket from 'ws';
import { parseFeedMessage, requestText } from '#domain/market/book/coinbase-messages.ts';

export interface PricePage {
  /** The longest time without a change of the book from `sinceMs` until now. */
  longestGapMs(sinceMs: number): number;
  close(): void;
}

const PRODUCT_ID = 'BTC-USD';

/** @param url  of the node. @throws Error if the node refuses the page */
export async function openPricePage(url: string): Promise<PricePage> {
  const atMs: number[] = [];
  const socket = new WebSocket(`${url.replace('http:', 'ws:')}/market/ws`);
  socket.on('message', (data) => {
    if (parseFeedMessage(String(data)).kind === 'update') atMs.push(Date.now());
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.send(requestText('subscribe', [PRODUCT_ID], ['level2', 'heartbeat']));
  return {
    longestGapMs(sinceMs) {
      const moments = [sinceMs, ...atMs.filter((ms) => ms >= sinceMs), Date.now()];
      return Math.max(...moments.map((ms, i) => ms - (moments[i - 1] ?? ms)));
    },
    close: () => socket.terminate(),
  };
}

/**
 * A Coinbase Exchange that changes its books at an even pace, so that a load really has its stated frames per second.
 * The size of each change encodes when the venue sent it, so that a reader can measure the delay of the whole path.
 */
import type { AddressInfo } from 'node:net';
import WebSocket, { WebSocketServer } from 'ws';
import * as z from 'zod/mini';

export interface PacedBookVenue {
  wsUrl: string;
  close(): void;
}

const LEVELS = 100;
const BEST_BID = 100_000;
/** Sizes count this many milliseconds before they wrap: 27 hours, in nine digits that no reader rounds. */
const WRAP_MS = 100_000_000;

const requestSchema = z.object({ type: z.literal('subscribe'), product_ids: z.array(z.string()) });

/** A time as the size of a level, never 0, which would remove it. */
export function sizeOf(epochMs: number): string {
  return ((epochMs % WRAP_MS) / 1000 + 1).toFixed(3);
}

/** Age of a size in milliseconds. */
export function ageOfSizeMs(size: number, nowMs: number): number {
  return ((((nowMs % WRAP_MS) - Math.round((size - 1) * 1000)) % WRAP_MS) + WRAP_MS) % WRAP_MS;
}

/** @param everyMs  between two changes of each product */
export async function startPacedBookVenue(everyMs: number): Promise<PacedBookVenue> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const pacing = new Set<NodeJS.Timeout>();
  server.on('connection', (socket) => {
    const send = (message: object) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    };
    socket.on('message', (data) => {
      const request = requestSchema.safeParse(JSON.parse(String(data)));
      if (!request.success) return;
      const { product_ids } = request.data;
      const time = (): string => new Date().toISOString();
      for (const product_id of product_ids) {
        const rows = (best: number, step: number) =>
          Array.from({ length: LEVELS }, (_, i) => [(best + i * step).toFixed(2), '1.000']);
        send({ type: 'snapshot', product_id, bids: rows(BEST_BID, -1), asks: rows(BEST_BID + 1, 1) });
      }
      let turn = 0;
      const timer = setInterval(() => {
        turn += 1;
        const price = (BEST_BID - (turn % 50)).toFixed(2);
        for (const product_id of product_ids)
          send({ type: 'l2update', product_id, time: time(), changes: [['buy', price, sizeOf(Date.now())]] });
      }, everyMs);
      const beating = setInterval(() => {
        for (const product_id of product_ids)
          send({ type: 'heartbeat', product_id, sequence: turn, last_trade_id: turn, time: time() });
      }, 1000);
      for (const one of [timer, beating]) pacing.add(one);
      socket.on('close', () => {
        for (const one of [timer, beating]) {
          clearInterval(one);
          pacing.delete(one);
        }
      });
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    wsUrl: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const timer of pacing) clearInterval(timer);
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}

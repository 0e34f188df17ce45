/** The floor of every stream: only a timer and a socket per viewer, at a real stream's pace. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CANDLE_PACE_MS } from '../../../domain/forecast/stream-message.ts';
import { HORIZON_BARS } from '../../../domain/forecast/window.ts';

const MESSAGE = `data: ${JSON.stringify({ time: 1_700_000_000, open: 1, high: 1, low: 1, close: 1, volume: 0 })}\n\n`;

export async function openBareStreamServer(): Promise<{ origin: string; close(): void }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(MESSAGE);
    let sent = 1;
    const timer = setInterval(() => {
      response.write(MESSAGE);
      sent += 1;
      if (sent < HORIZON_BARS) return;
      clearInterval(timer);
      response.end();
    }, CANDLE_PACE_MS);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

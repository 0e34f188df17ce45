/** Every stream message of a dialect goes through a line, where a fault may lose, corrupt or delay it. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '#domain/time/clock.ts';
import { withBadValues } from '../../faults/corrupt-rows.ts';
import type { Faults } from '../../faults/faults.ts';

/** A reader with more unsent bytes is disconnected. */
const MAX_BUFFERED = 1 << 23;
const MAX_REQUEST_BYTES = 1 << 16;
/** A product without subscribers. */
const STRANGER = 'XYZ-ABC';

export interface About {
  /** As the service writes it; absent: none. */
  productId?: string;
  /** The same message with a bid above the best ask; absent: it holds no order book. */
  crossed?: () => object;
}

export interface Line {
  /** Serializes an object once for several lines; sends a string unchanged. Sends nothing after the line has closed. */
  send(message: object | string, about?: About): void;
  /** True: refuse this subscription, as the service does. */
  refuses(productId: string): boolean;
  ping(): void;
  /** With a close frame. */
  close(code?: number, reason?: string): void;
  /** Without a close frame. */
  cut(): void;
}

export interface LineEnds {
  onText?(text: string): void;
  onClose?(): void;
}

export interface Lines {
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, open: (line: Line) => LineEnds): void;
  /** Event time, changed by a skew fault. @param trueMs  absent: market time now */
  eventMs(productId?: string, trueMs?: number): number;
  cutAll(): void;
  close(): Promise<void>;
}

/** @param dialect  its name in fault settings */
export function openLines(dialect: string, { clock, faults }: { clock: Clock; faults: Faults }): Lines {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_REQUEST_BYTES, autoPong: false });
  const texts = new WeakMap<object, string>();

  function textOf(message: object | string): string {
    if (typeof message === 'string') return message;
    const known = texts.get(message);
    if (known !== undefined) return known;
    const text = JSON.stringify(message);
    texts.set(message, text);
    return text;
  }

  function lineOn(socket: WebSocket): Line {
    const held: string[] = [];

    function transmit(text: string): void {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > MAX_BUFFERED) socket.terminate();
      else socket.send(text);
    }

    function send(message: object | string, about: About = {}): void {
      if (!faults.hasStreamFaults(dialect)) {
        for (const text of [textOf(message), ...held.splice(0)]) transmit(text);
        return;
      }
      const productId = about.productId ?? null;
      const original = textOf(message);
      const strike = (what: Parameters<Faults['strikeMessage']>[0]) =>
        faults.strikeMessage(what, dialect, productId, original);
      if (strike('close') !== null) {
        socket.terminate();
        return;
      }
      if (strike('stall') !== null || strike('gap') !== null) return;

      const crossed = about.crossed !== undefined && strike('crossed') !== null ? about.crossed() : message;
      const bad = productId === null ? null : strike('values');
      const whole = bad === null ? textOf(crossed) : withBadValues(crossed, bad.value ?? 'NaN');
      const text = strike('broken') === null ? whole : whole.slice(0, Math.ceil(whole.length / 2));
      // At most one is held back; it follows the next.
      if (held.length === 0 && strike('disorder') !== null) {
        held.push(text);
        return;
      }
      for (const each of [text, ...held.splice(0)]) transmit(each);
      if (productId !== null && strike('stranger') !== null) transmit(text.replaceAll(productId, STRANGER));
    }

    return {
      send,
      refuses: (productId) => faults.strikeMessage('refusal', dialect, productId) !== null,
      ping: () => socket.ping(),
      close: (code, reason) => socket.close(code, reason),
      cut: () => socket.terminate(),
    };
  }

  function join(socket: WebSocket, open: (line: Line) => LineEnds): void {
    const { onText, onClose } = open(lineOn(socket));
    // A broken connection closes right after, so there is no one to notify.
    socket.on('error', () => socket.terminate());
    socket.on('close', () => onClose?.());
    socket.on('message', (data) => onText?.(String(data)));
    socket.on('ping', (data) => {
      const stall = faults.list().find((f) => f.part === 'stream' && f.dialect === dialect && f.what === 'stall');
      const isUnresponsive = stall?.part === 'stream' && stall.product === undefined && stall.hasPongs !== true;
      if (!isUnresponsive && socket.readyState === socket.OPEN) socket.pong(data);
    });
  }

  function cutAll(): void {
    for (const socket of server.clients) socket.terminate();
  }

  return {
    accept(request, socket, head, open) {
      server.handleUpgrade(request, socket, head, (upgraded) => join(upgraded, open));
    },
    eventMs: (productId = '', trueMs = clock.nowMs()) =>
      trueMs + (faults.strikeMessage('skew', dialect, productId)?.skewMs ?? 0),
    cutAll,
    async close() {
      cutAll();
      server.close();
    },
  };
}

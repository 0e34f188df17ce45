/** Candle streams on which one connection subscribes and unsubscribes freely, as on Bybit and OKX. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SeenCandle } from '#domain/market/codecs/candle-rows.ts';
import { candleFeed } from '../candle-feed.ts';
import { type Dialect, type DialectParts, refuseUpgrade } from '../dialect.ts';
import type { ListedSymbol } from '../market-sources.ts';
import { type Line, openLines } from '../simulation/lines.ts';

export interface Topics {
  add(productId: string): void;
  remove(productId: string): void;
  refuses(productId: string): boolean;
}

export interface TopicStreamOptions {
  path: string;
  productIdOf(listed: ListedSymbol): string;
  /** Products besides the listing, by the service's name. */
  find?(productId: string): ListedSymbol | undefined;
  frame(productId: string, seen: SeenCandle, eventMs: number): object;
  /** Replies to a reader's text, in order; a string is sent unchanged. Open candles follow a new subscription. */
  answer(text: string, topics: Topics): readonly (object | string)[];
}

interface Reader {
  line: Line;
  productIds: Set<string>;
}

export function topicStream(
  name: string,
  parts: DialectParts,
  options: TopicStreamOptions,
): Required<Pick<Dialect, 'accept' | 'cutAll' | 'close'>> {
  const { path, productIdOf, find, frame, answer } = options;
  const lines = openLines(name, parts);
  const listed = new Set(parts.listing);
  const watched = (readers: Iterable<Reader>) => {
    const ids = new Set([...readers].flatMap(({ productIds }) => [...productIds]));
    return [...ids].flatMap((id) => find?.(id) ?? []).filter((one) => !listed.has(one));
  };
  const feed = candleFeed<Reader>({ ...parts, watched }, ({ line, productIds }, listed, seen) => {
    const productId = productIdOf(listed);
    if (productIds.has(productId)) line.send(frame(productId, seen, lines.eventMs(productId)), { productId });
  });

  function take(reader: Reader, text: string): void {
    let isNew = false;
    const topics: Topics = {
      add(productId) {
        reader.productIds.add(productId);
        isNew = true;
      },
      remove: (productId) => void reader.productIds.delete(productId),
      refuses: reader.line.refuses,
    };
    for (const reply of answer(text, topics)) reader.line.send(reply);
    if (isNew) feed.greet(reader);
  }

  return {
    accept(request: IncomingMessage, socket: Duplex, head: Buffer) {
      if (URL.parse(request.url ?? '', 'ws://localhost')?.pathname !== path) {
        refuseUpgrade(socket);
        return;
      }
      lines.accept(request, socket, head, (line) => {
        const reader: Reader = { line, productIds: new Set() };
        feed.join(reader);
        return { onText: (text) => take(reader, text), onClose: () => feed.leave(reader) };
      });
    },
    cutAll: lines.cutAll,
    async close() {
      feed.close();
      await lines.close();
    },
  };
}

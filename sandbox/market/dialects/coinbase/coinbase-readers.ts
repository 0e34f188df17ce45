/** Readers of one of Coinbase's sockets. Both accept readers alike: on one path, with a first subscription in time. */
import { type Dialect, refuseUpgrade } from '../../dialect.ts';
import type { Line, Lines } from '../../simulation/lines.ts';
import type { CoinbaseProducts } from './coinbase-products.ts';

export interface CoinbaseReader {
  line: Line;
  /** Closes a connection that never subscribes; a dialect clears it at the first subscription. */
  silence: NodeJS.Timeout;
}

export interface CoinbaseGateway<Reader extends CoinbaseReader> {
  lines: Lines;
  products: CoinbaseProducts;
  /** The set of connected readers, which this module updates. */
  readers: Set<Reader>;
  toReader(connected: CoinbaseReader): Reader;
  onText(reader: Reader, text: string): void;
}

/** A connection without a subscription within this time is closed. */
const FIRST_REQUEST_MS = 5000;

export function coinbaseGateway<Reader extends CoinbaseReader>(
  door: CoinbaseGateway<Reader>,
): Pick<Dialect, 'accept' | 'cutAll' | 'close'> {
  const { lines, products, readers, toReader, onText } = door;
  return {
    accept(request, socket, head) {
      if (URL.parse(request.url ?? '', 'ws://localhost')?.pathname !== '/') {
        refuseUpgrade(socket);
        return;
      }
      lines.accept(request, socket, head, (line) => {
        const silence = setTimeout(() => line.close(), FIRST_REQUEST_MS).unref();
        const reader = toReader({ line, silence });
        readers.add(reader);
        return {
          onText: (text) => onText(reader, text),
          onClose() {
            clearTimeout(silence);
            readers.delete(reader);
          },
        };
      });
    },
    cutAll: lines.cutAll,
    async close() {
      products.close();
      await lines.close();
    },
  };
}

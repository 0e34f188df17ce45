/** Venues of shares and futures at a sandbox market, on a clock that tests move. */
import { afterEach } from 'vitest';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { startSandboxMarket } from '../../../../sandbox/market/sandbox-market.ts';
import { alpacaVenue } from '../../../../server/market/venues/alpaca.ts';
import { databentoVenue } from '../../../../server/market/venues/databento.ts';
import type { CandleUpdate, Venue, VenueOptions } from '../../../../server/market/venues/venue.ts';
import { createLogger } from '../../../../server/platform/telemetry/log.ts';
import { movableClock } from '../../../support/market/market-stack.ts';
import { openedForTests } from '../../../support/run/opened-for-tests.ts';

export const MSFT = symbolNamed('MSFT');
export const GOLD = symbolNamed('Gold');
export const DXY = symbolNamed('DXY');
export const OIL = symbolNamed('Oil');
export const MINUTE_MS = 60_000;
export const never = new AbortController().signal;
/** A Wednesday, half an hour into New York's session. */
const START = '2026-11-18T15:00:05Z';

interface RecordedCalls {
  calls: URL[];
  parts: Pick<VenueOptions, 'clock' | 'log' | 'symbols' | 'fetch' | 'socketTiming'>;
}

/** Bars of the sandbox are ten minutes late where a service's are. */
export function shareVenues() {
  const clock = movableClock(START);
  const opened = openedForTests(() =>
    startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'shares', startMs: null, lagS: 600 }),
  );
  const stops: AbortController[] = [];
  afterEach(() => {
    for (const stop of stops.splice(0)) stop.abort();
    opened().faults.clear();
    clock.ms = Date.parse(START);
  });

  function recordedCalls(): RecordedCalls {
    const calls: URL[] = [];
    return {
      calls,
      parts: {
        clock,
        log: createLogger('silent'),
        symbols: SYMBOLS,
        socketTiming: { retryMs: () => 20 },
        fetch(input, init) {
          calls.push(new URL(String(input)));
          return fetch(input, init);
        },
      },
    };
  }

  function openAlpaca(keys = { keyId: 'sandbox', secretKey: 'sandbox' }, answer?: unknown) {
    const { calls, parts } = recordedCalls();
    const stub: typeof fetch = async () => Response.json(answer);
    const fetching = answer === undefined ? {} : { fetch: stub };
    return { venue: alpacaVenue({ ...parts, ...opened().addresses.alpaca, keys, ...fetching }), calls };
  }

  function openDatabento(key = 'sandbox') {
    const { calls, parts } = recordedCalls();
    return { venue: databentoVenue({ ...parts, ...opened().addresses.databento, key, checkMs: 20 }), calls };
  }

  function follow(venue: Venue, symbols: readonly MarketSymbol[]): CandleUpdate[] {
    const seen: CandleUpdate[] = [];
    const stop = new AbortController();
    stops.push(stop);
    void (async () => {
      for await (const update of venue.updates(symbols, stop.signal)) seen.push(update);
    })();
    return seen;
  }

  return { clock, opened, recordedCalls, openAlpaca, openDatabento, follow };
}

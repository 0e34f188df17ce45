/** Can the real venue be reached from here? Asked once at the start, when MARKET is `auto`. */
import { serverTimeSchema } from '#domain/market/binance-klines.ts';

/**
 * @param restUrl    base address, e.g. `https://fapi.binance.com`
 * @param timeoutMs  how long to wait for an answer
 * @returns true only for an answer that a venue would give: a captive portal's page is none
 */
export async function probeVenue(restUrl: string, timeoutMs: number): Promise<boolean> {
  try {
    const url = `${restUrl.replace(/\/$/, '')}/fapi/v1/time`;
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
    return response.ok && serverTimeSchema.safeParse(await response.json()).success;
  } catch {
    // Every failure means the same here: the venue cannot be used, and the sandbox market takes its place.
    return false;
  }
}

/** All crowds that visit one site, as one group: their load is set together, and their figures are read together. */
import { type Crowd, type CrowdFigures, startCrowd } from '../crowds/crowd-messages.ts';
import type { SocketCrowdOptions, SocketRates } from '../crowds/socket-crowd.ts';
import type { StreamCrowdOptions, StreamRates } from '../crowds/stream-crowd.ts';
import type { VisitorCrowdOptions, VisitorRates } from '../crowds/visitor-crowd.ts';
import type { Manners } from './client/manners.ts';
import type { Site } from './host/site.ts';
import { type Load, UNIT_LOAD } from './unit-load.ts';

export interface GroupFigures {
  live: CrowdFigures[];
  forecast: CrowdFigures;
  visit: CrowdFigures;
}

export interface GroupOptions {
  manners: Manners;
  /** Access tokens of the streams' users. */
  tokens: readonly string[];
  cores: string | null;
  /** Whether it opens live sockets too. */
  hasSockets: boolean;
}

export interface CrowdGroup {
  /**
   * Sets the load from now on. Sockets connect within `gatherMs` and leave within a second; all else is spread evenly
   * over the minute.
   *
   * @param stage  names what is due from now on
   */
  change(load: Load, stage: string, gatherMs: number): void;
  /** Adds clients at this moment: streams, page loads and sign-ups in the proportions of the unit load. */
  burst(stage: string, clients: number): void;
  /** Tabs of one user, each of which opens streams again and again. */
  openTabs(stage: string, tabs: number): void;
  /** Since the last call. */
  figures(): Promise<GroupFigures>;
  /** Every client leaves at this moment. */
  stop(): void;
}

export const PRODUCT_IDS = ['BTC-USD', 'ETH-USD', 'SOL-USD', 'DOGE-USD'];
const SOCKET_CROWDS = 2;
/** Client addresses. From a single one the kernel searches ever longer for a free port: the crowd stalled. */
const ADDRESSES = 200;
const LEAVE_MS = 1000;

export async function startCrowdGroup(site: Site, options: GroupOptions): Promise<CrowdGroup> {
  const { ports, anonKey, visits } = site;
  const { manners, tokens, cores, hasSockets } = options;
  const none = { sockets: 0, arrivalMs: 0, productIds: PRODUCT_IDS };
  const live = Array.from({ length: hasSockets ? SOCKET_CROWDS : 0 }, (_, nth) => {
    const from = Array.from({ length: ADDRESSES }, (__, i) => `127.0.${nth + 1}.${i + 1}`);
    return startCrowd('socket-crowd.ts', { ...none, ports, manners, from } satisfies SocketCrowdOptions, cores);
  });
  const streams = { ports, tokens, streams: 0, arrivalMs: 0, everyMs: 0, manners } satisfies StreamCrowdOptions;
  const visitors = {
    ports,
    anonKey,
    visits,
    manners,
    pagesPerMinute: 0,
    signUpsPerMinute: 0,
  } satisfies VisitorCrowdOptions;
  const forecast = startCrowd('stream-crowd.ts', streams, cores);
  const visit = startCrowd('visitor-crowd.ts', visitors, cores);
  const all: Crowd[] = [...live, forecast, visit];
  await Promise.all(all.map(({ ready }) => ready));

  let sockets = 0;
  let rates = { streamsPerMinute: 0, pagesPerMinute: 0, signUpsPerMinute: 0 };
  const stream = (change: StreamRates): void => forecast.change(change);
  const visitor = (change: VisitorRates): void => visit.change(change);
  return {
    change(load, stage, gatherMs) {
      const withinMs = load.sockets < sockets ? LEAVE_MS : gatherMs;
      live.forEach((crowd, i) => {
        const share = Math.floor((load.sockets + i) / live.length);
        crowd.change({ sockets: share, withinMs } satisfies SocketRates);
      });
      const { streamsPerMinute, pagesPerMinute, signUpsPerMinute } = load;
      ({ sockets } = load);
      rates = { streamsPerMinute, pagesPerMinute, signUpsPerMinute };
      stream({ stage, streamsPerMinute });
      visitor({ stage, pagesPerMinute, signUpsPerMinute });
    },
    burst(stage, clients) {
      const { streamsPerMinute, pagesPerMinute, signUpsPerMinute } = UNIT_LOAD;
      const each = clients / (streamsPerMinute + pagesPerMinute + signUpsPerMinute);
      const signUps = Math.round(signUpsPerMinute * each);
      const pages = Math.round(pagesPerMinute * each);
      stream({ stage, ...rates, burst: clients - pages - signUps });
      visitor({ stage, ...rates, burst: { pages, signUps } });
    },
    openTabs: (stage, tabs) => stream({ stage, ...rates, tabs }),
    async figures() {
      const [ofForecast, ofVisit, ...ofLive] = await Promise.all(
        [forecast, visit, ...live].map((crowd) => crowd.figures()),
      );
      if (ofForecast === undefined || ofVisit === undefined) throw new Error('a crowd has no figures');
      return { live: ofLive, forecast: ofForecast, visit: ofVisit };
    },
    stop() {
      for (const crowd of all) crowd.stop();
    },
  };
}

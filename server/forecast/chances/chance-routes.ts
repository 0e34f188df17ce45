/** GET /chances and GET /chances/live. A question without a chance is refused in the form of all errors: `{error, code}`. */
import { type Context, Hono } from 'hono';
import { CHANCES_PATH, LIVE_CHANCES_PATH } from '#domain/chances/chance-messages.ts';
import { isRefusal, type RefusedChance } from '#domain/chances/refusals.ts';
import type { CallerReader } from '../../platform/http/calls/caller.ts';
import { onlyMethods, requireGet } from '../../platform/http/calls/http-errors.ts';
import type { RateLimit, RateLimiterOf } from '../../platform/http/guards/rate-limit.ts';
import { sharedStream } from '../../platform/http/streams/shared-stream.ts';
import { streamSlots } from '../stream/stream-slots.ts';
import { refusalStatus } from './answer-chances.ts';
import { type ChanceGrant, isPublicMarket } from './chance-access.ts';
import type { ChanceSource } from './chance-forecasts.ts';
import type { Chances } from './chances.ts';
import type { LiveChanceRooms } from './live-chances.ts';
import { type MarketQuery, readChanceQuery, readMarketQuery } from './read-chance-query.ts';

export interface ChanceRouteDeps {
  chances: Chances;
  live: LiveChanceRooms;
  callers: CallerReader;
  limiterOf: RateLimiterOf;
  addressOf(c: Context): string;
  stopping?: AbortSignal | undefined;
  /** Defaults: QUESTIONS, MOST_STREAMS, LASTS_MS. */
  questions?: RateLimit;
  mostStreams?: number;
  lastsMs?: number;
  /** How often an open stream's session and plan are checked. */
  checkMs?: number | undefined;
}

/** A dragged line sends up to four questions a second. */
const QUESTIONS: RateLimit = { points: 300, perS: 60 };
/** Streams open at the same time: of one account, or of one address, which a school or an office may share. */
const MOST_STREAMS = 100;
/** A plan may have ended: then the next request is refused. */
const LASTS_MS = 10 * 60_000;

export function chanceRoutes(deps: ChanceRouteDeps): Hono {
  const { chances, live, callers, addressOf, stopping, lastsMs = LASTS_MS } = deps;
  const questions = deps.limiterOf(deps.questions ?? QUESTIONS, 'chances');
  const slots = streamSlots(deps.mostStreams ?? MOST_STREAMS);

  /** The market, and the account or address that its questions are counted by. */
  async function admitted(c: Context, query: MarketQuery): Promise<Admitted> {
    const market = await chances.marketOf(query, c.req.raw.signal);
    const userId = isPublicMarket(market) ? null : (await callers.requireUser(c.req.raw)).userId;
    const owner = userId === null ? `address ${addressOf(c)}` : `user ${userId}`;
    await questions.consume(owner);
    return { market, owner, grant: await chances.admit(market, userId) };
  }

  const app = new Hono();
  app.get(CHANCES_PATH, async (c) => {
    const { market: query, posed } = readChanceQuery(new URL(c.req.url).searchParams);
    const { market, grant } = await admitted(c, query);
    if (isRefusal(posed)) return refused(posed);
    const answer = chances.answer(posed, await chances.momentOf(market, c.req.raw.signal, grant));
    return isRefusal(answer) ? refused(answer) : Response.json(answer, { headers: NO_STORE });
  });
  app.get(LIVE_CHANCES_PATH, async (c) => {
    requireGet(c.req.raw);
    const request = c.req.raw;
    const query = readMarketQuery(new URL(c.req.url).searchParams);
    const { market, owner, grant } = await admitted(c, query);
    const heldMs = await chances.lastsMs(market, grant, request.signal);
    const place = slots.take(owner);
    const join = (viewer: Parameters<LiveChanceRooms['join']>[1]) => {
      const leave = live.join(market, viewer);
      return () => {
        leave();
        void place.giveBack();
      };
    };
    const userOf = async () => (await callers.requireUser(request)).userId;
    return sharedStream(request, join, {
      stopping,
      lastsMs: isPublicMarket(market) ? undefined : Math.min(lastsMs, heldMs),
      isAllowed: isPublicMarket(market) || grant.kind === 'held' ? undefined : () => chances.mayGoOn(market, userOf),
      checkMs: deps.checkMs,
    });
  });
  app.all(CHANCES_PATH, onlyMethods('GET', 'HEAD'));
  app.all(LIVE_CHANCES_PATH, onlyMethods('GET'));
  return app;
}

interface Admitted {
  market: ChanceSource;
  /** By which its questions are counted. */
  owner: string;
  grant: ChanceGrant;
}

const NO_STORE = { 'cache-control': 'no-store' } as const;

function refused(refusal: RefusedChance): Response {
  const { reason, message } = refusal;
  return Response.json({ error: message, code: reason }, { status: refusalStatus(refusal), headers: NO_STORE });
}

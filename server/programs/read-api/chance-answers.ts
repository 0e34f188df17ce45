/** Chances through the read API: the questions of GET /chances with a key, and the live windows. */

import type * as z from 'zod/mini';
import { chanceQuery, POSED_NUMBERS } from '#domain/chances/chance-messages.ts';
import { isRefusal, type RefusedChance } from '#domain/chances/refusals.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { refusalStatus } from '../../forecast/chances/answer-chances.ts';
import type { Chances } from '../../forecast/chances/chances.ts';
import type { LiveChanceRooms } from '../../forecast/chances/live-chances.ts';
import { type MarketQuery, readChanceQuery } from '../../forecast/chances/read-chance-query.ts';
import { streamSlots } from '../../forecast/stream/stream-slots.ts';
import { requireGet } from '../../platform/http/calls/http-errors.ts';
import { sharedStream } from '../../platform/http/streams/shared-stream.ts';
import type { KeyOwner } from '../readings/key-owner.ts';
import { type ApiMount, jsonAnswer } from './api-mount.ts';
import { API_ROUTES } from './api-routes.ts';
import type { chancesQuery, forecastQuery } from './api-shapes.ts';
import type { KeysInUse } from './event-answers.ts';

export interface ChanceAnswerDeps {
  chances: Chances;
  live: LiveChanceRooms;
  keys: KeysInUse;
  stopping: AbortSignal;
  /** Between two checks of an open stream's plan, milliseconds. */
  checkMs?: number | undefined;
}

const MOST_STREAMS_A_KEY = 3;
/** Then a program reconnects, and everything is checked again. */
const LASTS_MS = 10 * 60_000;

export function mountChances({ on }: ApiMount, { chances, live, keys, stopping, checkMs }: ChanceAnswerDeps): void {
  const slots = streamSlots(MOST_STREAMS_A_KEY);

  async function admitted(query: MarketQuery, { userId }: KeyOwner, signal: AbortSignal) {
    const market = await chances.marketOf(query, signal);
    return { market, grant: await chances.admit(market, userId) };
  }

  on(API_ROUTES.chances, async ({ c, query, key }) => {
    const { market: wanted, posed } = readChanceQuery(paramsOf(query));
    const { signal } = c.req.raw;
    const { market, grant } = await admitted(wanted, key, signal);
    const answer = isRefusal(posed) ? posed : chances.answer(posed, await chances.momentOf(market, signal, grant));
    if (isRefusal(answer)) throw refusedAs(answer);
    return jsonAnswer(c, JSON.stringify(answer));
  });

  on(API_ROUTES.liveChances, async ({ c, query, key }) => {
    requireGet(c.req.raw);
    const { signal } = c.req.raw;
    const { market, grant } = await admitted(marketOf(query), key, signal);
    const heldMs = await chances.lastsMs(market, grant, signal);
    const place = slots.take(key.userId);
    return sharedStream(
      c.req.raw,
      (viewer) => {
        const { endedBy, stop } = keys.watch(key.id);
        const leave = live.join(market, {
          send: (frame) => (endedBy() === null ? viewer.send(frame) : viewer.end()),
          end: viewer.end,
        });
        return () => {
          leave();
          stop();
          void place.giveBack();
        };
      },
      {
        stopping,
        checkMs,
        lastsMs: Math.min(LASTS_MS, heldMs),
        isAllowed: grant.kind === 'held' ? undefined : () => chances.mayGoOn(market, async () => key.userId),
      },
    );
  });
}

function marketOf({ sym, model, tf }: z.output<typeof forecastQuery>): MarketQuery {
  return {
    sym: sym ?? PUBLIC_FORECAST.sym,
    model: model ?? PUBLIC_FORECAST.model,
    timeframe: tf ?? DEFAULT_TIMEFRAME,
  };
}

/** The parameters of GET /chances, whose names for the market are longer. */
function paramsOf(query: z.output<typeof chancesQuery>): URLSearchParams {
  const { sym, model, timeframe } = marketOf(query);
  const params = new URLSearchParams(chanceQuery({ symbol: sym, model, timeframe }));
  params.set('kind', query.kind);
  for (const name of new Set(Object.values(POSED_NUMBERS).flat())) {
    const text = query[name];
    if (text !== undefined) params.set(name, text);
  }
  return params;
}

/** For a question that has no chance, with the reason as text. */
export function refusedAs(refusal: RefusedChance): AppError {
  const { reason, message } = refusal;
  return refusalStatus(refusal) === 400
    ? new AppError('request/invalid', { details: { parameter: 'question', problem: 'invalid', reason, message } })
    : new AppError('chances/refused', { details: { reason, message } });
}

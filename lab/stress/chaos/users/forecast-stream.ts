/** One connection of a forecast's stream, read as a page reads it. */
import * as z from 'zod/mini';
import type { ModelInfo } from '../../../../domain/forecast/models.ts';
import {
  START_EVENT,
  type StreamStart,
  streamCandleSchema,
  streamErrorSchema,
  streamStartSchema,
} from '../../../../domain/forecast/stream-message.ts';
import type { Candle } from '../../../../domain/market/candle.ts';
import type { MarketSymbol } from '../../../../domain/market/symbols.ts';
import { readEvents } from '../../../../tests/support/wire/event-reader.ts';
import { describeAnswer, type Site, type SiteUser } from './site.ts';

export interface StreamRequest {
  model: ModelInfo;
  symbol: MarketSymbol;
  /** Of the last event that an earlier connection sent; null: a new forecast. */
  lastId: string | null;
  signal: AbortSignal;
}

export interface StreamEvents {
  onStart(start: StreamStart): void;
  /** @param id  of the event: the reservation's id and the number of the candle */
  onCandle(candle: Candle, id: string): void;
}

export interface StreamEnd {
  /** 0: no answer. */
  status: number;
  /** Why it did not begin, or what it sent in place of candles; null: it ended or was cut off. */
  refused: string | null;
}

/** Reads until the connection ends. @throws ZodError, SyntaxError for data that no server of ours may send */
export async function readStream(
  site: Site,
  user: SiteUser,
  { model, symbol, lastId, signal }: StreamRequest,
  on: StreamEvents,
): Promise<StreamEnd> {
  const { exc, sym } = symbol;
  const query = new URLSearchParams({ exc, sym, fbars: '50', lkbk: '450', amp: '100', ver: String(model.version) });
  const headers: Record<string, string> = { authorization: `Bearer ${user.token}`, connection: 'close' };
  if (user.address !== '') headers['x-forwarded-for'] = user.address;
  if (lastId !== null) headers['last-event-id'] = lastId;
  let refused: string | null = null;
  let status = 0;
  try {
    const answer = await fetch(`${site.url()}/stream-kat2?${query}`, { headers, signal });
    status = answer.status;
    if (status !== 200) {
      const text = await answer.text();
      return { status, refused: `stream ${describeAnswer({ status, body: parsedOr(text) })} ${codeIn(text)}`.trim() };
    }
    const reader = readEvents(answer);
    for (let event = await reader.next(); event !== null; event = await reader.next()) {
      const failure = streamErrorSchema.safeParse(event.data);
      if (failure.success) refused = `stream: ${failure.data.error}`;
      else if (event.event === START_EVENT) on.onStart(streamStartSchema.parse(event.data));
      else on.onCandle(streamCandleSchema.parse(event.data), event.id ?? '');
    }
  } catch (error) {
    // Cut off: a viewer's page resumes after the last id. Other errors mean that invalid data was sent.
    if (error instanceof z.core.$ZodError || error instanceof SyntaxError) throw error;
  }
  return { status, refused };
}

function codeIn(text: string): string {
  return /"code":\s*"([^"]+)"/.exec(text)?.[1] ?? '';
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(0, 200);
  }
}

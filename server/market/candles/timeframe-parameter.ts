import * as z from 'zod/mini';
import { DEFAULT_TIMEFRAME, TIMEFRAMES } from '#domain/market/timeframes.ts';

/** The parameter `tf` of a query; absent: one minute. */
export const timeframeParameter = z._default(z.enum(TIMEFRAMES), DEFAULT_TIMEFRAME);

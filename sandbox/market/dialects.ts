/** Every service that the sandbox market stands in for. */
import type { OpenDialect } from './dialect.ts';
import { binanceDialect } from './dialects/binance.ts';
import { calendarDialect } from './dialects/calendar.ts';

export const DIALECTS: readonly OpenDialect[] = [binanceDialect, calendarDialect];

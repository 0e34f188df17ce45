/** Both widgets are in one row of /kat: as one file they are smaller. */
export { MarketHolidays } from './market-holidays.tsx';
export { TradingSessions } from './trading-sessions.tsx';

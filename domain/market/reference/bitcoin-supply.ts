/** Assumed number of coins: a market capitalisation is the price times this (R-MARKET-10). */
export const BTC_SUPPLY = 19_922_243;

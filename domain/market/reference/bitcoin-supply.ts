/** Coins there are, as the specification assumes them: a market capitalisation is the price times this. Specification 1, section 9. */
export const BTC_SUPPLY = 19_922_243;

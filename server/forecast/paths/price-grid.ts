/** Prices of a symbol are multiples of its tick, and never below one tick: 0 is not a price. */
export interface PriceGrid {
  nearest(price: number): number;
  down(price: number): number;
  up(price: number): number;
}

/** Covers the error of dividing by a tick that binary fractions cannot represent. */
const SLACK = 1e-9;
const MAX_DECIMALS = 12;

export function priceGrid(tickSize: number): PriceGrid {
  const decimals = decimalsOf(tickSize);
  const perUnit = Math.round(1 / tickSize);
  // 0.1 and 0.005 divide 1: counting whole ticks and dividing once gives the shortest decimal, exactly.
  const isUnitFraction = Math.abs(perUnit * tickSize - 1) < SLACK;
  const at = (ticks: number): number => {
    const count = Math.max(1, ticks);
    return isUnitFraction ? count / perUnit : Number((count * tickSize).toFixed(decimals));
  };
  return {
    nearest: (price) => at(Math.round(price / tickSize)),
    down: (price) => at(Math.floor(price / tickSize + SLACK)),
    up: (price) => at(Math.ceil(price / tickSize - SLACK)),
  };
}

function decimalsOf(tickSize: number): number {
  let decimals = 0;
  while (
    decimals < MAX_DECIMALS &&
    Math.abs(Math.round(tickSize * 10 ** decimals) / 10 ** decimals - tickSize) > 1e-15
  ) {
    decimals++;
  }
  return decimals;
}

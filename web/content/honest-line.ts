/** What a forecast of this site is, and what it is not. */
export const HONEST_LINE = 'At one minute nobody beats the last price. We forecast the range, and prove how well.';

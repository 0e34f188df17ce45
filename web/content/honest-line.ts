export const HONEST_LINE = 'At one minute nobody beats the last price. We forecast the range, and prove how well.';

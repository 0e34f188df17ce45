/** The normal distribution, exact to about fifteen digits. */

const SQRT_2PI = Math.sqrt(2 * Math.PI);
/** From here on the continued fraction of the tail converges faster than the series around 0. */
const TAIL_FROM = 3;
const FRACTION_TERMS = 60;

/** Probability that a standard normal number is at most `x`. */
export function normalCdf(x: number): number {
  const tail = upperTail(Math.abs(x));
  return x > 0 ? 1 - tail : tail;
}

/** Probability of more than `x`, for x of 0 or more. */
function upperTail(x: number): number {
  if (x < TAIL_FROM) return 0.5 - density(x) * series(x);
  let fraction = x;
  for (let k = FRACTION_TERMS; k >= 1; k--) fraction = x + k / fraction;
  return density(x) / fraction;
}

/** Abramowitz and Stegun 26.2.11: times the density, the probability between 0 and x. */
function series(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= (x * x) / (2 * n + 1);
    sum += term;
  }
  return sum;
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / SQRT_2PI;
}

/** The number that a standard normal one stays below with probability `p`, by bisection: called for constants. */
export function normalQuantile(p: number): number {
  let low = -40;
  let high = 40;
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The chances of a normal walk with one volatility: what a forecast has to beat. All in closed form. */
import { normalCdf } from './normal.ts';

/** Below this variance over the squared width, few mirror images suffice; above it, few waves. */
const IMAGES_BELOW = 0.3;
const TERMS = 12;

/** Probability that a walk of that deviation ends above `move`. */
export function walkAbove(sigma: number, move: number): number {
  return normalCdf(-move / sigma);
}

/** Probability that the walk is at `move` at least once, by the reflection principle. */
export function walkTouch(sigma: number, move: number): number {
  return Math.min(1, 2 * normalCdf(-Math.abs(move) / sigma));
}

/** Probability that the walk is at `ahead` before it is `behind` on the other side; both are distances above 0. */
export function walkFirst(sigma: number, ahead: number, behind: number): number {
  const width = ahead + behind;
  const variance = (sigma / width) ** 2;
  return variance < IMAGES_BELOW ? byImages(sigma, ahead, behind) : byWaves(variance, behind / width);
}

function byImages(sigma: number, ahead: number, behind: number): number {
  let sum = 0;
  for (let k = 0; k < TERMS; k++) {
    const shift = 2 * k * (ahead + behind);
    sum += 2 * normalCdf(-(shift + ahead) / sigma) - 2 * normalCdf(-(shift + ahead + 2 * behind) / sigma);
  }
  return sum;
}

/** Eigenfunctions of the heat equation between two absorbing ends. @param place  from the far end, of the width */
function byWaves(variance: number, place: number): number {
  let sum = place;
  for (let n = 1; n <= TERMS; n++) {
    const sign = n % 2 === 0 ? 1 : -1;
    const decay = Math.exp((-n * n * Math.PI * Math.PI * variance) / 2);
    sum += ((sign * 2) / (Math.PI * n)) * Math.sin(n * Math.PI * place) * decay;
  }
  return sum;
}

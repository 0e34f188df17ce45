/** The unit in which loads are named: factor 1 is half of everything that one process was set out to hold. */

export interface Load {
  /** Live sockets that are open. */
  sockets: number;
  /** These come evenly over the minute. */
  streamsPerMinute: number;
  pagesPerMinute: number;
  signUpsPerMinute: number;
}

export const UNIT_LOAD: Load = { sockets: 5000, streamsPerMinute: 1000, pagesPerMinute: 1000, signUpsPerMinute: 150 };

export const NO_LOAD: Load = { sockets: 0, streamsPerMinute: 0, pagesPerMinute: 0, signUpsPerMinute: 0 };

export function loadOf(factor: number): Load {
  return {
    sockets: Math.round(UNIT_LOAD.sockets * factor),
    streamsPerMinute: UNIT_LOAD.streamsPerMinute * factor,
    pagesPerMinute: UNIT_LOAD.pagesPerMinute * factor,
    signUpsPerMinute: UNIT_LOAD.signUpsPerMinute * factor,
  };
}

/** The unit of loads: factor 1 is half of everything that one process was designed to hold. */

export interface Load {
  /** Open live sockets. */
  sockets: number;
  /** This and the following are spread evenly over the minute. */
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

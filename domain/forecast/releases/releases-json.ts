import type { ForecastReleases } from './forecast-releases.ts';

/** As files and the read API have it. */
export interface ReleasesJson {
  list: { at: string; kind: string; title: string; name: string }[];
  widthFactor: number;
  isComplete: boolean;
}

export function releasesJson({ list, factor, isComplete }: ForecastReleases): ReleasesJson {
  return {
    list: list.map(({ atS, ...release }) => ({
      at: `${new Date(atS * 1000).toISOString().slice(0, 19)}Z`,
      ...release,
    })),
    widthFactor: factor,
    isComplete,
  };
}

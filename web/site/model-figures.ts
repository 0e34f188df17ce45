/** How well the models forecast, as the server publishes it: fetched once per page load and shared. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ModelFigures } from '#domain/forecast/model-figures.ts';
import { retryingFetch } from '../platform/calls/shed-retry.ts';
import { afterFirstPaint } from '../platform/first-paint.ts';

/** @param isWanted  false sends no request, but still returns figures fetched before */
export function useModelFigures(isWanted = true): UseQueryResult<ModelFigures[]> {
  return useQuery({
    queryKey: ['models'],
    queryFn: fetchFigures,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isWanted,
  });
}

/** @throws Error if the server does not answer or the answer is invalid */
async function fetchFigures({ signal }: { signal: AbortSignal }): Promise<ModelFigures[]> {
  await afterFirstPaint();
  // The schema loads with the answer: no page needs its code to draw.
  const [response, { modelsAnswerSchema }] = await Promise.all([
    retryingFetch('/models.json', { headers: { accept: 'application/json' }, signal }),
    import('#domain/forecast/model-figures.ts'),
  ]);
  if (!response.ok) throw new Error(`We couldn’t load the models’ figures (${response.status}).`);
  return modelsAnswerSchema.parse(await response.json()).models;
}

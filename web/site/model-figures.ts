/** How well the models forecast, as the server publishes it: shared by everyone who tells of it, asked once a page load. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ModelFigures } from '#domain/forecast/model-figures.ts';
import { retryingFetch } from '../platform/calls/shed-retry.ts';
import { afterFirstPaint } from '../platform/first-paint.ts';

/** @param isWanted  false: nothing is asked, and what was asked before is still given */
export function useModelFigures(isWanted = true): UseQueryResult<ModelFigures[]> {
  return useQuery({
    queryKey: ['models'],
    queryFn: fetchFigures,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isWanted,
  });
}

/** @throws Error when the server does not answer or answers something else */
async function fetchFigures({ signal }: { signal: AbortSignal }): Promise<ModelFigures[]> {
  await afterFirstPaint();
  // The check comes with the answer: its code is not needed to draw a page.
  const [response, { modelsAnswerSchema }] = await Promise.all([
    retryingFetch('/models.json', { headers: { accept: 'application/json' }, signal }),
    import('#domain/forecast/model-figures.ts'),
  ]);
  if (!response.ok) throw new Error(`The models' figures could not be loaded (${response.status}).`);
  return modelsAnswerSchema.parse(await response.json()).models;
}

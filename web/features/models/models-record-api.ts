/** The public record's line about each model, fetched once per page load. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { routeUrl } from '../../platform/calls/route-url.ts';
import { retryingFetch } from '../../platform/calls/shed-retry.ts';
import { afterFirstPaint } from '../../platform/first-paint.ts';

export function useRecordLines(): UseQueryResult<ReadonlyMap<ModelName, string>> {
  return useQuery({ queryKey: ['record', 'model-lines'], queryFn: fetchLines, staleTime: 60_000 });
}

/** @throws Error if the server does not answer or the answer is invalid */
async function fetchLines({ signal }: { signal: AbortSignal }): Promise<ReadonlyMap<ModelName, string>> {
  await afterFirstPaint();
  // The schema and the texts load with the answer: the page draws without them.
  const [response, { trackSummarySchema }, { recordLine }] = await Promise.all([
    retryingFetch(routeUrl('/record/summary.json', { period: '30d' }), {
      headers: { accept: 'application/json' },
      signal,
    }),
    import('#domain/record/figures/track-summary.ts'),
    import('#domain/record/messages/record-line.ts'),
  ]);
  if (!response.ok) throw new Error(`We couldn’t load the public record (${response.status}).`);
  const summary = trackSummarySchema.parse(await response.json());
  return new Map(MODEL_NAMES.map((model) => [model, recordLine(summary, model)]));
}

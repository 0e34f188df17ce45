/** What the public record says of each model, asked once a page load. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { retryingFetch } from '../../platform/calls/shed-retry.ts';
import { afterFirstPaint } from '../../platform/first-paint.ts';

/** A sentence for each model. */
export function useRecordLines(): UseQueryResult<ReadonlyMap<ModelName, string>> {
  return useQuery({ queryKey: ['record', 'model-lines'], queryFn: fetchLines, staleTime: 60_000 });
}

/** @throws Error when the server does not answer or answers something else */
async function fetchLines({ signal }: { signal: AbortSignal }): Promise<ReadonlyMap<ModelName, string>> {
  await afterFirstPaint();
  // Check and words come with the answer: the page is drawn without them.
  const [response, { trackSummarySchema }, { recordLine }] = await Promise.all([
    retryingFetch('/record/summary.json?period=30d', { headers: { accept: 'application/json' }, signal }),
    import('#domain/record/figures/track-summary.ts'),
    import('#domain/record/messages/record-line.ts'),
  ]);
  if (!response.ok) throw new Error(`The public record could not be loaded (${response.status}).`);
  const summary = trackSummarySchema.parse(await response.json());
  return new Map(MODEL_NAMES.map((model) => [model, recordLine(summary, model)]));
}

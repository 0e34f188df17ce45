/** The models' statuses from the server's settings, which are fetched once per page load and shared. */
import { useQuery } from '@tanstack/react-query';
import type { ModelStatus } from '#domain/config/public-config.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { publicConfig } from '../platform/config.ts';

/** Null until known, and if the settings cannot be read: the page then claims nothing. */
export function useModelStatuses(): Readonly<Record<ModelName, ModelStatus>> | null {
  const config = useQuery({ queryKey: ['config'], queryFn: publicConfig, staleTime: Number.POSITIVE_INFINITY });
  return config.data?.models ?? null;
}

/** Two or three words on why a model cannot forecast; null if it can, or until known. */
export function unableWords(status: ModelStatus | null | undefined): string | null {
  if (status?.state === 'not-trained') return 'not trained yet';
  if (status?.state === 'disabled') return 'out of order';
  return null;
}

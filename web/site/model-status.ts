/** What the server says of its models: shared with everyone who reads the settings, asked once a page load. */
import { useQuery } from '@tanstack/react-query';
import type { ModelStatus } from '#domain/config/public-config.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { publicConfig } from '../platform/config.ts';

/** Null while it is not known, and when the settings cannot be read: then nothing is claimed. */
export function useModelStatuses(): Readonly<Record<ModelName, ModelStatus>> | null {
  const config = useQuery({ queryKey: ['config'], queryFn: publicConfig, staleTime: Number.POSITIVE_INFINITY });
  return config.data?.models ?? null;
}

/** In two or three words why a model cannot forecast; null when it can, or when that is not known. */
export function unableWords(status: ModelStatus | null | undefined): string | null {
  if (status?.state === 'not-trained') return 'not trained yet';
  if (status?.state === 'disabled') return 'out of order';
  return null;
}

/** The signed-in user's first steps: read from the server, and marked there. */
import { hasTourEnded, type Onboarding, type OnboardingMark, withMarks } from '#domain/onboarding/first-steps.ts';
import { reportError } from '../../platform/error-log.ts';
import { queryClient } from '../../platform/query-client.ts';
import { fetchOnboarding, storeMarks } from './onboarding-api.ts';

export function progressQuery(userId: string) {
  return {
    queryKey: ['first steps', userId],
    queryFn: ({ signal }: { signal: AbortSignal }) => fetchOnboarding(signal),
    // Other pages change what it depends on.
    staleTime: 0,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
  };
}

/** Never fails: without an answer there is no checklist and no offer. */
export function loadProgress(userId: string): Promise<void> {
  return queryClient.prefetchQuery(progressQuery(userId));
}

export function knownProgress(userId: string): Onboarding | undefined {
  return queryClient.getQueryData<Onboarding>(progressQuery(userId).queryKey);
}

/** Null: the server did not say. */
export async function isTourWanted(userId: string): Promise<boolean | null> {
  await loadProgress(userId);
  const progress = knownProgress(userId);
  return progress === undefined ? null : !hasTourEnded(progress);
}

/** Takes effect on this page immediately. @returns false if the server has not stored it, which is reported */
export async function addMarks(userId: string, marks: readonly OnboardingMark[]): Promise<boolean> {
  const { queryKey } = progressQuery(userId);
  const known = knownProgress(userId);
  if (known !== undefined && marks.every((mark) => known.marks.includes(mark))) return true;
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData<Onboarding>(queryKey, (progress) => progress && withMarks(progress, marks));
  try {
    await storeMarks(userId, marks);
    return true;
  } catch (error) {
    reportError(error, { where: 'first steps' });
    return false;
  }
}

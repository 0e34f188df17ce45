import { type Onboarding, type OnboardingMark, onboardingSchema } from '#domain/onboarding/first-steps.ts';
import { callTables } from '../../platform/supabase.ts';

const FAILED = 'Failed to load your first steps';
const NOT_STORED = 'Failed to save your first steps';

/** @throws Error, also after 15 seconds; the signal's reason */
export async function fetchOnboarding(signal: AbortSignal): Promise<Onboarding> {
  const { data } = await callTables(FAILED, signal, (client, limited) =>
    client.rpc('get_onboarding').retry(false).abortSignal(limited).single(),
  );
  return onboardingSchema.parse(data);
}

/** A mark that is already stored stays as it is. @throws Error, also after 15 seconds */
export async function storeMarks(userId: string, marks: readonly OnboardingMark[]): Promise<void> {
  await callTables(NOT_STORED, new AbortController().signal, (client, limited) =>
    client
      .from('onboarding_marks')
      .upsert(
        marks.map((mark) => ({ user_id: userId, mark })),
        { onConflict: 'user_id,mark', ignoreDuplicates: true },
      )
      .abortSignal(limited),
  );
}

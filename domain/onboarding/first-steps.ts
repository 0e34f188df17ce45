/** The first steps of an account: what the server knows of them, and the checklist that follows from it. */
import * as z from 'zod/mini';

/** Stored with the account, because no other row shows them. */
const ONBOARDING_MARKS = ['model-chosen', 'bands-read', 'tour-ended', 'checklist-dismissed'] as const;
export type OnboardingMark = (typeof ONBOARDING_MARKS)[number];

/** The one row of `get_onboarding`; marks of a newer version are dropped. */
export const onboardingSchema = z.pipe(
  z.object({
    has_checklist: z.boolean(),
    has_prediction: z.boolean(),
    has_alert: z.boolean(),
    marks: z.array(z.string()),
  }),
  z.transform(({ has_checklist, has_prediction, has_alert, marks }) => ({
    hasChecklist: has_checklist,
    hasPrediction: has_prediction,
    hasAlert: has_alert,
    marks: ONBOARDING_MARKS.filter((mark) => marks.includes(mark)),
  })),
);
export type Onboarding = z.infer<typeof onboardingSchema>;

export const ONBOARDING_STEPS = ['verify', 'model', 'forecast', 'bands', 'alert'] as const;
export type OnboardingStep = (typeof ONBOARDING_STEPS)[number];

/** A saved prediction names its model, so its user has chosen one. */
export function doneSteps(progress: Onboarding, isVerified: boolean): ReadonlySet<OnboardingStep> {
  const { hasPrediction, hasAlert, marks } = progress;
  const isDone: Readonly<Record<OnboardingStep, boolean>> = {
    verify: isVerified,
    model: hasPrediction || marks.includes('model-chosen'),
    forecast: hasPrediction,
    bands: marks.includes('bands-read'),
    alert: hasAlert,
  };
  return new Set(ONBOARDING_STEPS.filter((step) => isDone[step]));
}

export function hasTourEnded({ marks }: Onboarding): boolean {
  return marks.includes('tour-ended') || marks.includes('bands-read');
}

/** The same progress once the server has stored the marks. */
export function withMarks(progress: Onboarding, added: readonly OnboardingMark[]): Onboarding {
  const marks = ONBOARDING_MARKS.filter((mark) => progress.marks.includes(mark) || added.includes(mark));
  return { ...progress, marks, hasChecklist: progress.hasChecklist && !added.includes('checklist-dismissed') };
}

import { expect, test } from 'vitest';
import { doneSteps, hasTourEnded, type Onboarding, onboardingSchema, withMarks } from './first-steps.ts';

const NEW: Onboarding = { hasChecklist: true, hasPrediction: false, hasAlert: false, marks: [] };

test('drops marks that it does not know', () => {
  const row = { has_checklist: true, has_prediction: false, has_alert: true, marks: ['of-the-future', 'bands-read'] };

  expect(onboardingSchema.parse(row)).toEqual({ ...NEW, hasAlert: true, marks: ['bands-read'] });
});

test.each([
  ['nothing of a new account', NEW, false, []],
  ['a verified address', NEW, true, ['verify']],
  ['a chosen model', { ...NEW, marks: ['model-chosen' as const] }, false, ['model']],
  ['a saved prediction, and with it the model', { ...NEW, hasPrediction: true }, false, ['model', 'forecast']],
  ['bands that were read', { ...NEW, marks: ['bands-read' as const] }, false, ['bands']],
  ['a tour that was left is not a step', { ...NEW, marks: ['tour-ended' as const] }, false, []],
  ['an alert', { ...NEW, hasAlert: true }, true, ['verify', 'alert']],
])('ticks %s', (_what, progress, isVerified, steps) => {
  expect([...doneSteps(progress, isVerified)]).toEqual(steps);
});

test('offers the tour until it has ended or the bands were read', () => {
  expect(hasTourEnded(NEW)).toBe(false);
  expect(hasTourEnded(withMarks(NEW, ['tour-ended']))).toBe(true);
  expect(hasTourEnded(withMarks(NEW, ['bands-read']))).toBe(true);
});

test('adds marks once, and a dismissal hides the checklist', () => {
  const once = withMarks(withMarks(NEW, ['tour-ended', 'bands-read']), ['bands-read']);

  expect(once).toEqual({ ...NEW, marks: ['bands-read', 'tour-ended'] });
  expect(withMarks(once, ['checklist-dismissed']).hasChecklist).toBe(false);
});

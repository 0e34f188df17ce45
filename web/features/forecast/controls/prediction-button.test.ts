import { expect, test } from 'vitest';
import { type Entitlement, NO_ENTITLEMENT } from '#domain/billing/entitlement.ts';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import { CONFIG } from '../../../platform/testing/fake-backend.ts';
import { defaultModel, modelOptions } from './model-choice.ts';
import { type ButtonFacts, buttonRule } from './prediction-button.tsx';

const BOBCAT: Entitlement = { plan: 'bobcat', isAdmin: false, models: ['bobcat'] };
const LION: Entitlement = { plan: 'lion', isAdmin: false, models: MODEL_NAMES };
const ADMIN: Entitlement = { plan: 'free', isAdmin: true, models: MODEL_NAMES };
const someFacts = (change: Partial<ButtonFacts>): ButtonFacts => ({
  isSignedIn: true,
  isPlanLoading: false,
  entitlement: LION,
  quota: { remainingDaily: 15, remainingMonthly: 300 },
  model: 'bobcat',
  isRunning: false,
  ...change,
});

test.each<[string, Partial<ButtonFacts>, 'predict' | 'upgrade' | 'nothing']>([
  ['a lion user with quota', {}, 'predict'],
  ['a visitor', { isSignedIn: false, entitlement: NO_ENTITLEMENT, model: null }, 'nothing'],
  ['a free user', { entitlement: NO_ENTITLEMENT, model: null }, 'upgrade'],
  ['a free user without quota', { entitlement: NO_ENTITLEMENT, model: null, quota: null }, 'upgrade'],
  ['while the plan is loading', { isPlanLoading: true, entitlement: NO_ENTITLEMENT }, 'nothing'],
  ['none left this month', { quota: { remainingDaily: 3, remainingMonthly: 0 } }, 'nothing'],
  ['quota unknown', { quota: null }, 'nothing'],
  ['no model', { model: null }, 'nothing'],
  ['a model outside the plan', { entitlement: BOBCAT, model: 'lion' }, 'nothing'],
  ['while a forecast runs', { isRunning: true }, 'nothing'],
  ['an admin, whatever the quota', { entitlement: ADMIN, quota: null }, 'predict'],
])('decides what the button does: %s', (_who, change, click) => {
  const rule = buttonRule(someFacts(change));

  expect(rule.click).toBe(click);
  expect(rule.isDisabled).toBe(click !== 'predict');
});

test('shows what is left on the button, and dashes until that is known', () => {
  expect(buttonRule(someFacts({})).text).toBe('15 left today / 300 this month');
  expect(buttonRule(someFacts({ quota: null })).text).toBe('– left today / – this month');
  const noLimit = { remainingDaily: -1, remainingMonthly: -1 };
  expect(buttonRule(someFacts({ quota: noLimit })).text).toBe('unlimited left today / unlimited this month');
});

test('counts nothing for visitors: they have used up nothing', () => {
  const quota = { remainingDaily: 0, remainingMonthly: 0 };
  expect(buttonRule(someFacts({ isSignedIn: false, entitlement: NO_ENTITLEMENT, quota })).text).toBeNull();
});

test('locks models outside the plan, and starts with one that can answer', () => {
  expect(modelOptions(BOBCAT, DEFAULT_SYMBOL, '1min').map((option) => option.isLocked)).toEqual([false, true, true]);
  expect(modelOptions(NO_ENTITLEMENT, DEFAULT_SYMBOL, '1min')[0]).toMatchObject({
    isLocked: true,
    title: 'Upgrade to unlock',
  });
  const firstChoices = [LION, BOBCAT, NO_ENTITLEMENT].map((entitlement) => defaultModel(entitlement, CONFIG.models));
  expect(firstChoices).toEqual(['bobcat', 'bobcat', null]);
});

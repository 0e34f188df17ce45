import { expect, test } from 'vitest';
import { downgradeOf, lostFeatures, planCatalogue } from './plan-catalogue.ts';
import { PLAN_NAMES, PLANS } from './plans.ts';

const CATALOGUE = planCatalogue({ bobcat: 'price_b', lion: 'price_l' });

test('lists prices, limits and models as the plans have them', () => {
  for (const plan of PLAN_NAMES) {
    const { priceCents, limitations } = CATALOGUE[plan];
    expect(priceCents).toBe(PLANS[plan].priceCents);
    expect(limitations).toMatchObject({ models: PLANS[plan].models, predictionsPerDay: PLANS[plan].perDay });
  }
  expect(PLAN_NAMES.map((plan) => CATALOGUE[plan].priceId)).toEqual([null, 'price_b', 'price_l']);
});

test('starts a card with what the plan gives to predict with', () => {
  expect(CATALOGUE.free.features.join()).not.toContain('predictions a day');
  expect(CATALOGUE.bobcat.features.slice(0, 2)).toEqual(['10 predictions a day, 60 a month', 'Bobcat (Kat 1) model']);
  expect(CATALOGUE.lion.features.slice(0, 4)).toEqual([
    '15 predictions a day, 300 a month',
    'Bobcat (Kat 1) model',
    'Panther (Kat 2.2) model',
    'Lion (Kat 2.4) model',
  ]);
});

test('lists in each plan what the cheaper one lacks, and together all of its features', () => {
  expect([CATALOGUE.free.base, CATALOGUE.bobcat.base, CATALOGUE.lion.base]).toEqual([null, 'free', 'bobcat']);
  expect(CATALOGUE.free.added).toEqual(CATALOGUE.free.features);
  expect(CATALOGUE.bobcat.added).toEqual([
    '10 predictions a day, 60 a month',
    'Bobcat (Kat 1) model',
    'Every prediction saved and compared with the market',
    'Download predictions as CSV or JSON',
  ]);
  expect(new Set(CATALOGUE.bobcat.features)).toEqual(new Set([...CATALOGUE.free.added, ...CATALOGUE.bobcat.added]));
});

test('names exactly what a downgrade loses', () => {
  expect(lostFeatures('lion', 'bobcat')).toEqual([
    '15 predictions a day, 300 a month',
    'Panther (Kat 2.2) model',
    'Lion (Kat 2.4) model',
    'New models as they are released',
  ]);
  expect(lostFeatures('bobcat', 'free')).toContain('10 predictions a day, 60 a month');
  expect(lostFeatures('free', 'lion')).toEqual([]);
});

test('loses nothing of the cheaper plan in the dearer one, except its numbers', () => {
  expect(lostFeatures('bobcat', 'lion')).toEqual(['10 predictions a day, 60 a month']);
});

test('names the smaller limits of a downgrade beside the features that it loses', () => {
  expect(downgradeOf('lion', 'bobcat')).toEqual({
    limits: '15 a day becomes 10, 300 a month becomes 60',
    features: ['Panther (Kat 2.2) model', 'Lion (Kat 2.4) model', 'New models as they are released'],
  });
});

test('lists the predictions among the lost features when none are left', () => {
  expect(downgradeOf('lion', 'free')).toEqual({ limits: null, features: lostFeatures('lion', 'free') });
});

test('has no limits to name where a change makes none smaller', () => {
  expect(downgradeOf('lion', 'lion')).toEqual({ limits: null, features: [] });
});

test('offers the plans without price ids until the settings are known', () => {
  const unknown = planCatalogue(null);
  expect(PLAN_NAMES.map((plan) => unknown[plan].priceId)).toEqual([null, null, null]);
  expect(unknown.lion).toEqual({ ...CATALOGUE.lion, priceId: null });
});

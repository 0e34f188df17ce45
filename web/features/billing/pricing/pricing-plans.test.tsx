import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { generatedFigures } from '#domain/forecast/testing/figure-fixtures.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { CONFIG, fakeBackend, json, storeSession } from '../../../platform/testing/fake-backend.ts';
import { aRow } from '../testing/fake-billing-server.tsx';
import { PricingPlans } from './pricing-plans.tsx';

const MODELS = [generatedFigures('bobcat'), { ...generatedFigures('lion'), state: 'not-trained' }];

test('shows a visitor price, features, verdict and one link of each plan, which leads through sign-up to the purchase', async () => {
  mount();

  const { free, bobcat, lion } = cards();
  expect(free.textContent).toContain('$0.00 per month');
  expect(bobcat.textContent).toContain('$29.99 per month');
  expect(lion.textContent).toContain('$69.99 per month');
  expect(within(bobcat).getByText('Everything in Free, plus')).toBeDefined();
  expect(featuresOf(lion)).toEqual([
    '15 predictions a day, 300 a month',
    'Panther (Kat 2.2) model',
    'Lion (Kat 2.4) model',
    'New models as they are released',
  ]);
  expect(buttonsOf(cards())).toEqual([
    ['Sign Up Free', '/auth/signup'],
    ['Choose Bobcat', '/auth/signup?next=%2Faccount%2Fsubscription'],
    ['Choose Lion', '/auth/signup?next=%2Faccount%2Fsubscription'],
  ]);
  expect(await within(bobcat).findByText(/^Its range is 0\.9% more accurate than a random walk’s/)).toBeDefined();
  expect(await within(lion).findByText('Not trained yet, so it can’t forecast.')).toBeDefined();
});

test('leads a user to the subscription page, and marks the plan that the user has', async () => {
  storeSession();
  mount();

  expect(await screen.findByRole('link', { name: 'Your plan' })).toBeDefined();
  expect(buttonsOf(cards())).toEqual([
    ['Your plan', '/account/subscription'],
    ['Choose Bobcat', '/account/subscription'],
    ['Choose Lion', '/account/subscription'],
  ]);
});

test('marks a subscriber’s plan, and stresses only the larger one', async () => {
  storeSession();
  mount().on('GET /rest/v1/stripe_user_subscriptions', () => json([aRow()]));

  const own = await screen.findByRole('link', { name: 'Your plan' });

  const { free, bobcat, lion } = cards();
  expect(bobcat.contains(own)).toBe(true);
  const stressed = [free, bobcat, lion].map((card) => within(card).getAllByRole('link').some(isPrimary));
  expect(stressed).toEqual([false, false, true]);
});

test.each([
  ['sandbox', 'Test payments – no real money'],
  ['none', 'Payments are not set up on this site.'],
] as const)('says what kind of payments these are: %s', async (payments, label) => {
  mount({ payments });

  expect(await screen.findByText(label)).toBeDefined();
});

test('points to the track record when the results do not load', async () => {
  mount({}, () => json({}, 400));

  const { bobcat } = cards();
  expect(await within(bobcat).findByText(/We couldn’t load its results/)).toBeDefined();
  expect(within(bobcat).getByRole('link', { name: 'track record' }).getAttribute('href')).toBe('/track-record');
});

function mount(config: Partial<typeof CONFIG> = {}, models = () => json({ models: MODELS })) {
  const backend = fakeBackend();
  backend.on('GET /config.json', () => json({ ...CONFIG, ...config }));
  backend.on('GET /models.json', models);
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <PricingPlans />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return backend;
}

const isPrimary = ({ className }: HTMLElement) => className.includes('primary');

function cards(): Record<'free' | 'bobcat' | 'lion', HTMLElement> {
  const cardOf = (name: string) => {
    const card = screen.getByRole('heading', { level: 3, name }).closest('li');
    if (card === null) throw new Error(`${name} has no card.`);
    return card;
  };
  return { free: cardOf('Free'), bobcat: cardOf('Bobcat'), lion: cardOf('Lion') };
}

function buttonsOf(all: ReturnType<typeof cards>) {
  return Object.values(all).map((card) => {
    const button = within(card).getByRole('link', { name: /^(Sign Up Free|Your plan|Choose .+)$/ });
    return [button.textContent, button.getAttribute('href')];
  });
}

function featuresOf(card: HTMLElement) {
  return within(card)
    .getAllByRole('listitem')
    .map((item) => item.textContent);
}

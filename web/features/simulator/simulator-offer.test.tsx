import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { SAMPLE_SETTINGS } from '#domain/site/sample-settings.ts';
import { queryClient } from '../../platform/query-client.ts';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { signedIn } from '../../session/testing/signed-in.ts';
import { SimulatorOffer } from './simulator-offer.tsx';

const ON_SALE = {
  ...SAMPLE_SETTINGS,
  links: {
    ...SAMPLE_SETTINGS.links,
    simulatorPurchase: 'https://patrons.test/buy',
    simulatorDownload: 'https://patrons.test/get',
  },
};

let backend: FakeBackend;
beforeEach(() => {
  backend = fakeBackend();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});
const answer = (settings: typeof SAMPLE_SETTINGS) => backend.on('GET /site.json', () => json(settings));

/** Where the address leads, and what it remembers. */
function Address() {
  const { pathname, state } = useLocation();
  return <output>{`${pathname} ${JSON.stringify(state)}`}</output>;
}
function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/market-simulator-v03?from=mail#buy']}>
        <SimulatorOffer />
        <Address />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}
const link = (name: RegExp) => screen.findByRole('link', { name });

test('sells to visitors too, and says that they need an account, which brings them back here', async () => {
  answer(ON_SALE);
  show();

  expect((await link(/^Buy on the patron page/)).getAttribute('href')).toBe('https://patrons.test/buy');
  expect(screen.queryByRole('link', { name: /^Download/ })).toBeNull();
  await userEvent.click(await link(/^Sign Up Free/));
  expect(screen.getByRole('status').textContent).toBe('/auth/signup {"from":"/market-simulator-v03?from=mail#buy"}');
});

test('gives users the download in place of the sign-up', async () => {
  answer(ON_SALE);
  await signedIn();
  show();

  expect((await link(/^Download version 0\.3/)).getAttribute('href')).toBe('https://patrons.test/get');
  expect(screen.getByText('To download it, you need what the patron page sent you.')).toBeDefined();
  expect(screen.queryByText('Account Required')).toBeNull();
});

test('sells nothing and downloads nothing until the operator has set the links', async () => {
  answer(SAMPLE_SETTINGS);
  await signedIn();
  show();

  expect(await screen.findByText('Not on sale yet')).toBeDefined();
  expect(screen.getByText('The download appears here once the simulator is on sale.')).toBeDefined();
  expect(screen.queryByRole('link')).toBeNull();
});

test('offers another try when the link to buy it does not load', async () => {
  backend.on('GET /site.json', () => json({}, 500));
  show();
  expect(await screen.findByText('We couldn’t load the purchase link.')).toBeDefined();

  answer(ON_SALE);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  await waitFor(() => expect(screen.getByRole('link', { name: /^Buy on the patron page/ })).toBeDefined());
});

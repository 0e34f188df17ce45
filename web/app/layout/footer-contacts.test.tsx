import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { COINS, SAMPLE_ADDRESS, SAMPLE_SETTINGS } from '#domain/site/sample-settings.ts';
import type { SiteSettings } from '#domain/site/site-settings.ts';
import { type SettingsServer, settingsServer, showWithSettings } from '../../site/testing/shown-settings.tsx';
import { FooterContacts } from './footer-contacts.tsx';

const { samples, links } = SAMPLE_SETTINGS;
const SET: Partial<SiteSettings> = {
  samples: { ...samples, operator: false, donations: false },
  supportEmail: 'help@kat.test',
  links: { ...links, social: [{ label: 'Chat', url: 'https://chat.test/kat' }] },
  donations: (['BTC', 'SOL'] as const).map((ticker) => ({
    ...COINS[ticker],
    ticker,
    address: `${ticker} address of ours`,
    qr: `/donations/${ticker}.svg`,
  })),
};

let server: SettingsServer;
beforeEach(() => {
  server = settingsServer();
});
const show = () => showWithSettings(<FooterContacts />);

test('shows the links, the support address and the addresses of two coins', async () => {
  server.answer(SET);
  show();

  expect((await screen.findByRole('link', { name: /^Chat/ })).getAttribute('href')).toBe('https://chat.test/kat');
  expect(screen.getByRole('link', { name: 'help@kat.test' }).getAttribute('href')).toBe('mailto:help@kat.test');
  expect(screen.getByRole('button', { name: 'Copy BTC address' })).toBeDefined();
  // Of the others the page about us shows all.
  expect(screen.queryByText(/SOL address/)).toBeNull();
  expect(screen.queryByText('sample')).toBeNull();
});

test('marks each link that leads nowhere yet and a sample address', async () => {
  server.answer({});
  show();

  expect(await screen.findAllByText('sample')).toHaveLength(links.social.length + 1);
  expect(screen.getAllByText(SAMPLE_ADDRESS)).toHaveLength(2);
});

test('has no place for donations if none of the two coins is listed', async () => {
  server.answer({ ...SET, donations: [] });
  show();

  await screen.findByText('help@kat.test');
  expect(screen.queryByText('Donate')).toBeNull();
});

test('says what did not load, and loads it again', async () => {
  server.fail();
  const container = show();
  expect(container.textContent).toBe('');
  expect(await screen.findByText('We couldn’t load the links.')).toBeDefined();
  expect(screen.getByText('We couldn’t load the addresses.')).toBeDefined();

  server.answer(SET);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(await screen.findByText('help@kat.test')).toBeDefined();
});

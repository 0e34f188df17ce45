import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { COINS, SAMPLE_ADDRESS, SAMPLE_SETTINGS } from '#domain/site/sample-settings.ts';
import { DONATION_TICKERS, type SiteSettings } from '#domain/site/site-settings.ts';
import { type SettingsServer, settingsServer, showWithSettings } from '../../site/testing/shown-settings.tsx';
import { DonationCards } from './donation-cards.tsx';

const SET: Partial<SiteSettings> = {
  samples: { ...SAMPLE_SETTINGS.samples, donations: false },
  donations: [
    { ...COINS.BTC, ticker: 'BTC', address: 'bc1qreal', qr: '/donations/BTC.svg' },
    { ...COINS.XRP, ticker: 'XRP', address: 'rReal', qr: '/donations/XRP.svg', memo: '4711' },
  ],
};

let server: SettingsServer;
beforeEach(() => {
  server = settingsServer();
});
const show = () => showWithSettings(<DonationCards />);
const copyButtons = () => screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'));

test('shows each address with its picture, and the destination tag without which a payment is lost', async () => {
  server.answer(SET);
  show();

  const [bitcoin, ripple] = await screen.findAllByRole('listitem');
  expect(bitcoin?.textContent).toContain('Bitcoin BTC');
  expect(bitcoin?.textContent).not.toContain('tag');
  // A name that is its ticker is not repeated.
  expect(ripple?.querySelector('h3')?.textContent?.trim()).toBe('XRP');
  expect(ripple?.textContent).toContain('Destination tag 4711');
  expect(screen.getByRole('img', { name: 'QR code of the XRP address' }).getAttribute('src')).toBe(
    '/donations/XRP.svg',
  );
  expect(copyButtons()).toEqual(['Copy BTC address', 'Copy XRP address', 'Copy XRP destination tag']);
  expect(screen.queryByText(SAMPLE_ADDRESS)).toBeNull();
});

test('warns of sample addresses before anything is sent', async () => {
  server.answer({});
  show();

  expect(await screen.findAllByRole('listitem')).toHaveLength(DONATION_TICKERS.length);
  expect(screen.getByText(/samples and belong to no one/)).toBeDefined();
});

test('says that no donations are taken if the operator lists none', async () => {
  server.answer({ ...SET, donations: [] });
  show();

  expect(await screen.findByText('We don’t take donations at the moment.')).toBeDefined();
  expect(screen.queryByRole('list')).toBeNull();
});

test('offers another try when the addresses do not load, and shows none meanwhile', async () => {
  server.fail();
  show();
  const failure = within(await screen.findByRole('alert'));
  expect(failure.getByText('We couldn’t load the donation addresses')).toBeDefined();

  server.answer(SET);
  await userEvent.click(failure.getByRole('button', { name: 'Retry' }));

  expect(await screen.findByText('bc1qreal')).toBeDefined();
});

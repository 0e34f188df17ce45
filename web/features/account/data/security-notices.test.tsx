/** The parts of the security page that load nothing: what the account is, and the notices. */
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { type FakeBackend, fakeBackend, storeSession } from '../../../platform/testing/fake-backend.ts';
import { setProfileZone } from '../../../ui/browser/time-zone.ts';
import { mountPanel, SESSION_USER } from '../testing/security-panel.tsx';
import { DataProtection, TermsNotice } from './data-rights.tsx';
import { SecurityOverview } from './security-overview.tsx';

let backend: FakeBackend;

beforeEach(() => {
  backend = fakeBackend();
  storeSession();
});

test('shows the account’s address, where to change it, and its creation date, in the reader’s zone', async () => {
  setProfileZone('America/New_York');
  mountPanel(<SecurityOverview user={SESSION_USER} />);

  const panel = within(screen.getByRole('region', { name: 'Account Security' }));
  expect(panel.getByText('Email', { selector: 'dt' }).nextSibling?.textContent).toBe(
    'ada@example.com VerifiedChange it on your profile.',
  );
  expect(panel.getByText('Account created').nextSibling?.textContent).toBe('1 Jan 2026, 19:00 EST');
});

test('shows two-factor authentication as stored, without a switch', async () => {
  backend.profile({
    two_factor_enabled: true,
    email_notifications: true,
    push_notifications: false,
    marketing_emails: false,
  });
  mountPanel(<SecurityOverview user={SESSION_USER} />);

  await screen.findByText('On');
  expect(screen.getByText('Two-factor sign-in').nextSibling?.textContent).toBe('On');
  expect(screen.queryByRole('switch')).toBeNull();
});

test('promises an unverified address no emails, and says where to verify it', async () => {
  mountPanel(<SecurityOverview user={{ ...SESSION_USER, emailConfirmed: false }} />);

  expect(screen.getByText('Not verified')).toBeTruthy();
  expect(screen.getByText(/Once you verify your email/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'dashboard' }).getAttribute('href')).toBe('/dashboard');
});

test('explains how to use each right of data protection, and links the terms', async () => {
  mountPanel(
    <>
      <DataProtection />
      <TermsNotice />
    </>,
  );

  const rights = screen.getByRole('region', { name: 'Data Protection' });
  expect([...rights.querySelectorAll('dt')].map((term) => term.textContent)).toEqual([
    'Access',
    'Correct',
    'Delete',
    'Portability',
    'Withdraw consent',
  ]);
  expect(within(rights).getByRole('link', { name: 'profile' }).getAttribute('href')).toBe('/account');
  expect(within(rights).getByRole('button', { name: 'Download my data' })).toBeTruthy();
  const terms = within(screen.getByRole('region', { name: 'Terms' }));
  expect(terms.getByRole('link').getAttribute('href')).toBe('/legal');
});

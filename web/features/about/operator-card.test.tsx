import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { SAMPLE_SETTINGS } from '#domain/site/sample-settings.ts';
import type { SiteSettings } from '#domain/site/site-settings.ts';
import { type SettingsServer, settingsServer, showWithSettings } from '../../site/testing/shown-settings.tsx';
import { OperatorCard } from './operator-card.tsx';

const { samples, links } = SAMPLE_SETTINGS;
const SET: Partial<SiteSettings> = {
  samples: { ...samples, operator: false, links: false },
  operatorName: 'Kat Research',
  supportEmail: 'help@kat.test',
  links: { ...links, social: [{ label: 'Chat', url: 'https://chat.test/kat' }] },
};

let server: SettingsServer;
beforeEach(() => {
  server = settingsServer();
});
const show = () =>
  showWithSettings(
    <MemoryRouter>
      <OperatorCard />
    </MemoryRouter>,
  );

test('names who runs the site, where to write to, and where else they are', async () => {
  server.answer(SET);
  show();
  expect(screen.getByRole('link', { name: 'Legal' }).getAttribute('href')).toBe('/legal');

  expect(await screen.findByText('Kat Research')).toBeDefined();
  expect(screen.getByRole('link', { name: 'help@kat.test' }).getAttribute('href')).toBe('mailto:help@kat.test');
  const chat = screen.getByRole('link', { name: /^Chat/ });
  expect([chat.getAttribute('href'), chat.getAttribute('rel')]).toEqual([
    'https://chat.test/kat',
    'noopener noreferrer',
  ]);
  expect(screen.queryByText('sample')).toBeNull();
});

test.each([
  ['the name', { samples: { ...samples, links: false } }],
  ['the links', { samples: { ...samples, operator: false } }],
])('marks the card while %s is a sample', async (_what, change) => {
  server.answer(change);
  show();

  expect((await screen.findByText('sample')).title).toContain('The site operator has not set them yet.');
});

test('offers another try when the settings do not load', async () => {
  server.fail();
  show();
  const failure = within(await screen.findByRole('alert'));
  expect(failure.getByText('We couldn’t load the names and links')).toBeDefined();
  expect(screen.queryByText('Support')).toBeNull();

  server.answer(SET);
  await userEvent.click(failure.getByRole('button', { name: 'Retry' }));

  expect(await screen.findByText('Kat Research')).toBeDefined();
});

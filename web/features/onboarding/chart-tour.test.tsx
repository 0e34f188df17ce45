import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type FakeBackend, fakeBackend, json, storeSession, USER } from '../../platform/testing/fake-backend.ts';
import { ChartTour } from './chart-tour.tsx';
import { firstStepsServer, mountSteps } from './testing/first-steps.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = fakeBackend();
  storeSession();
});

const button = (name: string) => screen.findByRole('button', { name });
const dialog = () => screen.findByRole('dialog', { name: 'How to read the chart' });
const requested = () => backend.to('/rest/v1/rpc/get_onboarding').length;
const mountTour = (userId: string | null = USER.id) => mountSteps(<ChartTour userId={userId} timeframe="1min" />);
const stored = () => localStorage.getItem('chartTour');

test('is offered once, taken by keyboard alone, and never offered again', async () => {
  const server = firstStepsServer(backend);
  const { show } = mountTour();

  (await button('Take the tour')).focus();
  await userEvent.keyboard('{Enter}');
  await dialog();
  await waitFor(async () => expect(document.activeElement).toBe(await button('Next')));
  screen.getByText('The band is the forecast');
  await userEvent.keyboard('{Enter}');
  await screen.findByText('The path is not a promise');
  await userEvent.keyboard('{Enter}');
  await screen.findByText('The outcome is known after 50 minutes');
  expect(document.activeElement).toBe(await button('Done'));
  await userEvent.keyboard('{Enter}');

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await button('How to read the chart')).toBeDefined();
  expect(screen.queryByText('New to this chart?')).toBeNull();
  await waitFor(() => expect(server.sent()).toEqual(['tour-ended', 'bands-read']));
  await waitFor(() => expect(stored()).toBe(USER.id));

  show(<ChartTour key="next visit" userId={USER.id} timeframe="1min" />);
  await button('How to read the chart');
  expect(requested()).toBe(1);
});

test('counts the bands as read when a user follows the track record', async () => {
  const server = firstStepsServer(backend);
  mountTour();
  await userEvent.click(await button('Take the tour'));

  await userEvent.click(await screen.findByRole('link', { name: 'track record' }));

  await waitFor(() => expect(server.sent()).toEqual(['tour-ended', 'bands-read']));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('goes back without losing the focus', async () => {
  firstStepsServer(backend);
  mountTour();
  await userEvent.click(await button('Take the tour'));
  await userEvent.click(await button('Next'));

  await userEvent.click(await button('Back'));

  await screen.findByText('The band is the forecast');
  expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
  expect(document.activeElement).toBe(await button('Next'));
});

test.each([
  ['Escape', async () => (await dialog()).dispatchEvent(new Event('cancel', { cancelable: true }))],
  ['the close button', async () => userEvent.click(await button('Close'))],
])('ends with %s, which marks nothing as read', async (_what, leave) => {
  const server = firstStepsServer(backend);
  mountTour();
  await userEvent.click(await button('Take the tour'));
  await dialog();

  await leave();

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(server.sent()).toEqual(['tour-ended']));
});

test('takes ‘Not now’ for an answer, and keeps the focus on the button that stays', async () => {
  const server = firstStepsServer(backend);
  mountTour();

  await userEvent.click(await button('Not now'));

  expect(document.activeElement).toBe(await button('How to read the chart'));
  await waitFor(() => expect(server.sent()).toEqual(['tour-ended']));
});

test('requests nothing more for an account whose tour ended on another device', async () => {
  firstStepsServer(backend, { marks: ['tour-ended'] });
  const { show } = mountTour();
  await waitFor(() => expect(stored()).toBe(USER.id));

  show(<ChartTour key="next visit" userId={USER.id} timeframe="1min" />);

  await button('How to read the chart');
  expect(screen.queryByText('New to this chart?')).toBeNull();
  expect(requested()).toBe(1);
});

test('goes on when the session ends during it, and stores its end after the next sign-in', async () => {
  const server = firstStepsServer(backend);
  const { show } = mountTour();
  await userEvent.click(await button('Take the tour'));
  await dialog();
  backend.on('POST /rest/v1/onboarding_marks', () => json({ code: '42501', message: 'signed out' }, 401));

  show(<ChartTour userId={null} timeframe="1min" />);
  await userEvent.click(await button('Next'));
  await userEvent.click(await button('Close'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(stored()).toBe(`${USER.id} unsent`));

  const later = firstStepsServer(backend);
  show(<ChartTour userId={USER.id} timeframe="1min" />);
  await waitFor(() => expect(stored()).toBe(USER.id));
  expect(later.sent().at(-1)).toBe('tour-ended');
  expect(server.sent().filter((mark) => mark === 'bands-read')).toEqual([]);
  expect(screen.queryByText('New to this chart?')).toBeNull();
});

test('works while storage is blocked: the server alone remembers', async () => {
  const server = firstStepsServer(backend);
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  mountTour();

  await userEvent.click(await button('Not now'));

  await button('How to read the chart');
  await waitFor(() => expect(server.sent()).toEqual(['tour-ended']));
});

test.each([
  ['a visitor', null, () => {}],
  [
    'a user while the server is away',
    USER.id,
    () => backend.on('POST /rest/v1/rpc/get_onboarding', () => json({}, 503)),
  ],
])('can be opened by %s, without an offer', async (_who, userId, prepare) => {
  prepare();
  mountTour(userId);

  await userEvent.click(await button('How to read the chart'));
  await dialog();
  await userEvent.click(await button('Close'));

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByText('New to this chart?')).toBeNull();
});

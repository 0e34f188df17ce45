import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeBackend, json, storeSession, USER } from '../../platform/testing/fake-backend.ts';
import type { SessionUser } from '../../session/session.ts';
import { Checklist } from './checklist.tsx';
import { addMarks, loadProgress } from './progress.ts';
import { firstStepsServer, mountSteps } from './testing/first-steps.tsx';

const ADA: SessionUser = {
  id: USER.id,
  email: USER.email,
  emailConfirmed: false,
  fullName: 'Ada Lovelace',
  createdAt: '2026-01-02T00:00:00Z',
};

async function mountChecklist(user: SessionUser = ADA, onVerify = () => {}) {
  await loadProgress(user.id);
  return mountSteps(<Checklist user={user} onVerify={onVerify} />);
}
const steps = () => screen.findAllByRole('listitem');
const titleOf = (item: HTMLElement) => item.querySelector('p')?.textContent ?? '';
const step = async (title: string) => {
  const found = (await steps()).find((item) => titleOf(item).startsWith(title));
  return within(found ?? expect.fail(`no step ${title}`));
};
const button = (name: string) => screen.findByRole('button', { name });

test('lists five steps in order, with what is done and one action for each that is not', async () => {
  const backend = fakeBackend();
  backend.plan('bobcat');
  storeSession();
  firstStepsServer(backend, { has_prediction: true });
  await mountChecklist({ ...ADA, emailConfirmed: true });

  await screen.findByText('3 of 5 done');
  const items = await steps();
  expect(items.map(titleOf)).toEqual([
    'Verify your email (done)',
    'Choose a model (done)',
    'Run a forecast (done)',
    'Read its bands',
    'Set an alert',
  ]);
  const controls = items.map((item) =>
    within(item).queryAllByRole('button').concat(within(item).queryAllByRole('link')),
  );
  expect(controls.map((found) => found.map(({ textContent }) => textContent))).toEqual([
    ...[[], [], [], ['Take the tour'], ['Set an alert']],
  ]);
});

test.each([
  ['paid', 'bobcat', '/kat', '/kat'],
  ['free', 'free', '/ai-models', '/account/subscription'],
] as const)('leads a user on a %s plan to what the plan allows', async (_what, plan, model, forecast) => {
  const backend = fakeBackend();
  backend.plan(plan);
  storeSession();
  firstStepsServer(backend);
  await mountChecklist();

  const hrefOf = async (title: string) => (await step(title)).getByRole('link').getAttribute('href');
  await waitFor(async () => expect(await hrefOf('Run a forecast')).toBe(forecast));
  expect(await hrefOf('Choose a model')).toBe(model);
  expect(await hrefOf('Set an alert')).toBe('/account/notifications#alerts');
});

test('leads to the place that verifies the address', async () => {
  const backend = fakeBackend();
  firstStepsServer(backend);
  const verify = vi.fn();
  await mountChecklist(ADA, verify);

  await userEvent.click(await button('Verify email'));

  expect(verify).toHaveBeenCalledOnce();
});

test('is dismissed for good, with the focus on the page', async () => {
  const backend = fakeBackend();
  storeSession();
  const server = firstStepsServer(backend);
  const { show } = await mountChecklist();

  await userEvent.click(await button('Dismiss'));

  expect(screen.queryByText('Welcome to Kat')).toBeNull();
  expect(document.activeElement?.id).toBe('main');
  await waitFor(() => expect(server.sent()).toEqual(['checklist-dismissed']));
  await loadProgress(ADA.id);
  show(<Checklist key="again" user={ADA} onVerify={() => {}} />);
  expect(screen.queryByText('Welcome to Kat')).toBeNull();
});

test('stays away when the server does not answer, now and later', async () => {
  const backend = fakeBackend();
  backend.on('POST /rest/v1/rpc/get_onboarding', () => json({ message: 'away' }, 503));
  await mountChecklist();

  expect(screen.queryByRole('list')).toBeNull();
  firstStepsServer(backend);
  await loadProgress(ADA.id);
  expect(screen.queryByRole('list')).toBeNull();
});

test('takes the tour in place and ticks the bands', async () => {
  const backend = fakeBackend();
  storeSession();
  const server = firstStepsServer(backend);
  await mountChecklist();

  await userEvent.click(await button('Take the tour'));
  for (const name of ['Next', 'Next', 'Done']) await userEvent.click(await button(name));

  await waitFor(async () => expect((await steps()).map(titleOf)).toContain('Read its bands (done)'));
  await waitFor(() => expect(server.sent()).toEqual(['tour-ended', 'bands-read']));
});

test('says that all is done, and can be closed', async () => {
  const backend = fakeBackend();
  storeSession();
  const server = firstStepsServer(backend, { has_prediction: true, has_alert: true, marks: ['bands-read'] });
  await mountChecklist({ ...ADA, emailConfirmed: true });

  await screen.findByRole('heading', { name: 'You’re all set' });
  await userEvent.click(await button('Close'));

  await waitFor(() => expect(server.sent()).toEqual(['checklist-dismissed']));
});

test('sends a mark once, and reports one that the server did not store', async () => {
  const backend = fakeBackend();
  storeSession();
  const server = firstStepsServer(backend);
  await loadProgress(ADA.id);

  expect(await addMarks(ADA.id, ['model-chosen'])).toBe(true);
  expect(await addMarks(ADA.id, ['model-chosen'])).toBe(true);
  expect(server.sent()).toEqual(['model-chosen']);

  backend.on('POST /rest/v1/onboarding_marks', () => json({ code: '42501', message: 'refused' }, 403));
  expect(await addMarks(ADA.id, ['bands-read'])).toBe(false);
  await waitFor(() => expect(backend.errors()).toHaveLength(1));
});

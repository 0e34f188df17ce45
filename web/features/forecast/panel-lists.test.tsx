import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { assign, LION, show } from './panel-test-setup.tsx';

vi.mock('../../charts/candle-canvas.ts', () => import('../../charts/testing/fake-canvas.ts'));
vi.mock('../../session/session.ts', () => ({ useSession: vi.fn(), accessToken: async () => 'token' }));
vi.mock('../../session/entitlement.ts', () => ({ useEntitlement: vi.fn() }));
vi.mock('../../platform/functions.ts', () => ({ callFunction: vi.fn() }));
vi.mock('../../platform/error-log.ts', () => ({ reportError: vi.fn() }));
vi.mock('../../platform/config.ts', () => ({ publicConfig: vi.fn() }));

const list = (name: string) => screen.getByRole('combobox', { name });
const predictionPanel = () => screen.findByRole('button', { name: /left today/ });

test('the list of symbols that was opened before it is known who looks stays open, and chooses', async () => {
  const { turn } = show('unknown');
  await userEvent.click(list('Symbol'));

  turn(LION);
  await predictionPanel();

  expect(list('Symbol').getAttribute('aria-expanded')).toBe('true');
  expect(document.activeElement).toBe(list('Symbol'));
  await userEvent.click(screen.getByRole('option', { name: /^ETH/ }));
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(screen.getByRole('heading', { name: 'ETH Prediction' })).toBeDefined();
});

test('one that was closed again stays closed', async () => {
  const { turn } = show('unknown');
  await userEvent.click(list('Symbol'));
  await userEvent.keyboard('{Escape}');

  turn(LION);
  await predictionPanel();

  expect(screen.queryByRole('listbox')).toBeNull();
});

test('the list of models opens once it is known what is unlocked, not as a visitor would see it', async () => {
  const { turn } = show('unknown');
  await userEvent.click(list('Model'));
  expect(screen.queryByRole('option')).toBeNull();

  turn(LION);
  await predictionPanel();

  await userEvent.click(await screen.findByRole('option', { name: 'Bobcat (Kat 1)' }));
  expect(list('Model').textContent).toBe('Bobcat (Kat 1)');
  expect(assign).not.toHaveBeenCalled();
});

test('for a visitor it opens with what a visitor may see', async () => {
  const { turn } = show('unknown');
  await userEvent.click(list('Model'));

  turn(null);

  expect((await screen.findByRole('option', { name: 'Lion (Kat 2.4)' })).title).toBe('Upgrade to unlock');
});

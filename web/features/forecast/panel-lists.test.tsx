import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { type PanelServer, panelServer, showBeforeSession } from './testing/forecast-panel.tsx';

let server: PanelServer;
beforeEach(() => {
  server = panelServer();
});

const list = (name: string) => screen.getByRole('combobox', { name });
const predictionPanel = () => screen.findByRole('button', { name: /left today/ });

test('keeps the list of symbols open that was opened before the user is known, and chooses from it', async () => {
  const answerWith = showBeforeSession(server);
  await userEvent.click(list('Symbol'));

  answerWith('lion');
  await predictionPanel();

  expect(list('Symbol').getAttribute('aria-expanded')).toBe('true');
  // The panel that takes over gives it the focus in an effect.
  await waitFor(() => expect(document.activeElement).toBe(list('Symbol')));
  await userEvent.click(screen.getByRole('option', { name: /^ETH/ }));
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(screen.getByRole('heading', { name: 'ETH Prediction' })).toBeDefined();
});

test('keeps a list closed that was closed again', async () => {
  const answerWith = showBeforeSession(server);
  await userEvent.click(list('Symbol'));
  await userEvent.keyboard('{Escape}');

  answerWith('lion');
  await predictionPanel();

  expect(screen.queryByRole('listbox')).toBeNull();
});

test('opens the list of models once it is known what is unlocked, not as a visitor would see it', async () => {
  const answerWith = showBeforeSession(server);
  await userEvent.click(list('Model'));
  expect(screen.queryByRole('option')).toBeNull();

  answerWith('lion');
  await predictionPanel();

  await userEvent.click(await screen.findByRole('option', { name: 'Bobcat (Kat 1)' }));
  expect(list('Model').textContent).toBe('Bobcat (Kat 1)');
  expect(server.opened()).toEqual([]);
});

test('opens for a visitor with what a visitor may see', async () => {
  const answerWith = showBeforeSession(server);
  await userEvent.click(list('Model'));

  answerWith('visitor');

  expect((await screen.findByRole('option', { name: 'Lion (Kat 2.4)' })).title).toBe('Upgrade to unlock');
});

test.each(['visitor', 'lion'] as const)('opens an export once it is known who clicked it: %s', async (who) => {
  const answerWith = showBeforeSession(server);
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  expect(screen.queryByRole('dialog')).toBeNull();

  answerWith(who);
  if (who === 'lion') await predictionPanel();

  expect(await screen.findByRole('dialog')).toBeDefined();
});

/** The symbol and model that /kat starts with, and where a choice is noted. */
import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { address, button, type PanelServer, panelServer, pick, show } from './testing/forecast-panel.tsx';

let server: PanelServer;
beforeEach(() => {
  server = panelServer();
});

const model = () => screen.getByRole('combobox', { name: 'Model' }).textContent;
const ready = () => screen.findByText('15 left today / 300 this month');

test('starts with the symbol and model of the address, and writes each choice into it', async () => {
  await show(server, 'lion', '/kat?mock=hol&sym=ETH&model=panther');
  await ready();
  expect(screen.getByRole('heading', { name: 'ETH Prediction' })).toBeDefined();
  expect(model()).toBe('Panther (Kat 2.2)');

  await pick('Symbol', 'SOL');
  await pick('Model', 'Lion (Kat 2.4)');

  expect(address()).toBe('/kat?mock=hol&sym=SOL&model=lion');
});

test('starts the next visit with the last choice', async () => {
  const first = await show(server, 'lion');
  await ready();
  await pick('Symbol', 'Gold');
  await pick('Model', 'Panther (Kat 2.2)');
  first.unmount();

  await show(server, 'lion');
  await ready();

  expect(screen.getByRole('heading', { name: 'Gold Prediction' })).toBeDefined();
  expect(model()).toBe('Panther (Kat 2.2)');
});

test('gives a bobcat user Bobcat for a model of the address that the plan lacks', async () => {
  await show(server, 'bobcat', '/kat?model=lion');
  await ready();

  expect(model()).toBe('Bobcat (Kat 1)');
  expect(button().getAttribute('aria-disabled')).toBe('false');
});

test('still switches the symbol while storage is blocked', async () => {
  await show(server, 'lion');
  await ready();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Blocked', 'SecurityError');
  });

  await pick('Symbol', 'ETH');

  expect(screen.getByRole('heading', { name: 'ETH Prediction' })).toBeDefined();
  expect(address()).toBe('/kat?sym=ETH');
});

/** What the panel says of where its candles come from, how late and how old they are, and why there are none. */
import { cleanup, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { json } from '../../platform/testing/fake-backend.ts';
import type { PanelAlerts } from './panel/saved-alerts.tsx';
import { T0 } from './testing/forecast-fixtures.ts';
import { button, count, history, type PanelServer, panelServer, show } from './testing/forecast-panel.tsx';

let server: PanelServer;
beforeEach(() => {
  server = panelServer();
});

async function showWith(headers: Record<string, string>, alerts?: PanelAlerts) {
  server.on('GET /history', () => history(headers));
  await show(server, 'lion', '/kat', alerts);
  await vi.waitFor(() => expect(count()).toBe(150));
}

const isDimmed = () => document.querySelector('[data-candle-count]')?.closest('[data-stale]') !== null;

test('names a live market, and adds nothing', async () => {
  await showWith({
    'x-market-kind': 'live',
    'x-market-attribution': 'Binance USD-M futures',
    'x-market-delay-s': '0',
    'x-market-stale': 'false',
    'x-market-as-of': String(T0),
  });

  expect(await screen.findByText('Binance USD-M futures')).toBeDefined();
  expect(screen.getByText('live')).toBeDefined();
  expect(screen.queryByText(/delayed|stale|market closed/)).toBeNull();
  expect(isDimmed()).toBe(false);
});

test.each([
  ['true', 1],
  ['false', 0],
])('marks late prices while the market is open: %s', async (isOpen, delayed) => {
  await showWith({ 'x-market-attribution': 'IEX via Alpaca', 'x-market-delay-s': '900', 'x-market-open': isOpen });

  expect(await screen.findByText('IEX via Alpaca')).toBeDefined();
  expect(screen.queryAllByText('delayed 15 min')).toHaveLength(delayed);
  expect(screen.queryAllByText('market closed')).toHaveLength(1 - delayed);
});

test('keeps old candles, dimmed, with their age', async () => {
  const date = new Date((T0 + 60 + 720) * 1000).toUTCString();
  await showWith({ 'x-market-kind': 'live', 'x-market-stale': 'true', 'x-market-as-of': String(T0), date });

  expect(await screen.findByText('stale · 12 min')).toBeDefined();
  expect(count()).toBe(150);
  expect(isDimmed()).toBe(true);
});

test('explains a symbol without a venue, and what still works', async () => {
  const reason = 'No venue of BTC is connected: VENUE_ORDER names none of Binance, Bybit and OKX.';
  const body = {
    error: 'No price source is connected for this symbol.',
    code: 'venue/not-connected',
    details: { message: reason },
  };
  server.on('GET /history', () => json(body, 503));
  await show(server, 'lion');

  const notice = await screen.findByText('Failed to load');
  expect(notice.parentElement?.textContent).toBe(
    `Failed to load ${reason} Other symbols and your saved predictions still work.`,
  );
});

test('hides a reason meant for the operator', async () => {
  const body = {
    error: 'Market data is not available right now.',
    code: 'venue/unavailable',
    details: { reason: 'The venue refused: ECONNREFUSED.' },
  };
  server.on('GET /history', () => json(body, 503));
  await show(server, 'lion');

  const notice = await screen.findByText('Failed to load');
  expect(notice.parentElement?.textContent).toContain('Market data is not available right now.');
  expect(notice.parentElement?.textContent).not.toContain('ECONNREFUSED');
});

test('offers the alert beside the button of a closed market, and not of an open one', async () => {
  const atOpening = ({ label }: { label: string }) => <p>{`alert for ${label}`}</p>;
  const alerts = { atPrediction: () => null, atOpening };
  await showWith({ 'x-market-open': 'false' }, alerts);
  expect(await screen.findByText('alert for BTC')).toBeDefined();
  cleanup();

  await showWith({ 'x-market-open': 'true' }, alerts);
  expect(screen.queryByText('alert for BTC')).toBeNull();
});

test('says on the button when a closed market opens, and requests no forecast', async () => {
  await showWith({ 'x-market-open': 'false' });
  await vi.waitFor(() => expect(button().textContent).toMatch(/^Prediction Opens \w{3} \d\d:\d\d \(in .+\)$/));

  button().click();
  expect(button().getAttribute('aria-disabled')).toBe('true');
  expect(server.callsTo('/stream-kat2')).toEqual([]);
});

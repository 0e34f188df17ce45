import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { ModelStatus } from '#domain/config/public-config.ts';
import { publicConfig } from '../../platform/config.ts';
import { callFunction } from '../../platform/functions.ts';
import { CONFIG } from '../../platform/testing/fake-backend.ts';
import { toast } from '../../ui/toast.ts';
import {
  ADMIN,
  assign,
  BOBCAT,
  button,
  callsTo,
  count,
  FREE,
  fetchMock,
  LION,
  onSaved,
  pick,
  serve,
  show,
} from './panel-test-setup.tsx';

vi.mock('../../charts/candle-canvas.ts', () => import('../../charts/testing/fake-canvas.ts'));
vi.mock('../../session/session.ts', () => ({ useSession: vi.fn(), accessToken: async () => 'token' }));
vi.mock('../../session/entitlement.ts', () => ({ useEntitlement: vi.fn() }));
vi.mock('../../platform/functions.ts', () => ({ callFunction: vi.fn() }));
vi.mock('../../platform/error-log.ts', () => ({ reportError: vi.fn() }));
vi.mock('../../platform/config.ts', () => ({ publicConfig: vi.fn() }));

const READY = { state: 'ready', kind: 'neural', version: '1' } as const;

test('a visitor sees 150 sample candles and then 50 more, one per 100 ms, and no call is made', () => {
  vi.useFakeTimers();
  show(null);
  expect(screen.getByRole('heading', { name: 'BTC Demo' })).toBeDefined();
  expect(screen.getByText('sample data')).toBeDefined();
  act(() => vi.advanceTimersByTime(0));
  expect(count()).toBe(150);

  act(() => vi.advanceTimersByTime(1000));
  expect(count()).toBe(160);

  act(() => vi.advanceTimersByTime(10_000));
  expect(count()).toBe(200);
  expect(button().getAttribute('aria-disabled')).toBe('true');
  expect(button().textContent).toBe('Prediction');
  button().click();
  expect(fetchMock).not.toHaveBeenCalled();
  expect(callFunction).not.toHaveBeenCalled();
  expect(assign).not.toHaveBeenCalled();
});

test('with reduced motion the sample stands still: all 200 at once', async () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);

  show(null);

  await vi.waitFor(() => expect(count()).toBeGreaterThan(0));
  expect(count()).toBe(200);
});

test('a lion user presses Prediction: 50 candles arrive, 200 are saved, the page hears of it', async () => {
  show(LION);
  await screen.findByText('15 left today / 300 this month');
  await vi.waitFor(() => expect(count()).toBe(150));

  await userEvent.click(button());

  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(count()).toBe(200);
  expect(screen.getByRole('heading', { name: 'BTC Prediction' })).toBeDefined();
  const saves = vi.mocked(callFunction).mock.calls.filter(([name]) => name === 'create-prediction');
  expect(saves).toHaveLength(1);
  expect(saves[0]?.[1]).toMatchObject({ model: 'kat1', cryptocurrency: 'BTC', timeframe: '1min' });
  expect(saves[0]?.[1]).toHaveProperty('data.length', 200);
  const quotaCalls = vi.mocked(callFunction).mock.calls.filter(([name]) => name === 'get-quota');
  expect(quotaCalls.length).toBeGreaterThan(1);
  const table = screen.getByRole('table');
  expect(within(table).getByRole('row', { name: /^\+50/ }).textContent).toBe('+5099.0103.098.0104.0');
  expect(screen.getByText('simulated')).toBeDefined();
});

test('a free user is led to the plans by the button, by Unlock Models and by a locked model', async () => {
  show(FREE);

  await userEvent.click(button());
  await userEvent.click(screen.getByRole('button', { name: 'Unlock Models' }));
  await userEvent.click(screen.getByRole('combobox', { name: 'Model' }));
  const locked = screen.getByRole('option', { name: 'Lion (Kat 2.4)' });
  expect(locked.title).toBe('Upgrade to unlock');
  await userEvent.click(locked);

  expect(assign.mock.calls).toEqual(Array(3).fill(['/account/subscription']));
  expect(fetchMock.mock.calls.every(([url]) => !url.startsWith('/stream-kat2'))).toBe(true);
});

test('a bobcat user keeps Bobcat when a locked model is clicked', async () => {
  show(BOBCAT);

  await pick('Model', 'Panther (Kat 2.2)');

  expect(assign).toHaveBeenCalledExactlyOnceWith('/account/subscription');
  expect(screen.getByRole('combobox', { name: 'Model' }).textContent).toBe('Bobcat (Kat 1)');
  expect(screen.queryByRole('button', { name: 'Unlock Models' })).toBeNull();
});

test('an admin has no quota, may amplify, and saves nothing', async () => {
  show(ADMIN);
  await vi.waitFor(() => expect(count()).toBe(150));
  await userEvent.clear(screen.getByLabelText('Amplify'));
  await userEvent.type(screen.getByLabelText('Amplify'), '250');

  await userEvent.click(button());

  await vi.waitFor(() => expect(count()).toBe(200));
  expect(fetchMock.mock.lastCall?.[0]).toContain('amp=250');
  expect(callsTo('/forecast/')).toEqual([]);
  expect(callFunction).not.toHaveBeenCalled();
});

test('a model without weights says so and costs nothing', async () => {
  const told = vi.spyOn(toast, 'error');
  fetchMock.mockImplementation(async (url) =>
    url.startsWith('/history')
      ? serve(url)
      : Response.json({ error: 'This model is not trained yet.', code: 'forecast/not-trained' }, { status: 503 }),
  );
  show(LION);
  await screen.findByText('15 left today / 300 this month');
  await pick('Model', 'Lion (Kat 2.4)');

  await userEvent.click(button());

  expect(await screen.findByText('This model is not trained yet.')).toBeDefined();
  expect(told).toHaveBeenCalledExactlyOnceWith('This model is not trained yet.');
  expect(fetchMock.mock.lastCall?.[0]).toContain('ver=214');
  expect(count()).toBe(150);
});

test.each<[string, ModelStatus, string, RegExp]>([
  ['trained', READY, 'Lion (Kat 2.4)', /^Neural: a network/],
  ['not trained', { state: 'not-trained', kind: null, version: null }, 'Bobcat (Kat 1)', /^Neural: a network/],
  ['out of order', { state: 'disabled', kind: null, version: null }, 'Bobcat (Kat 1)', /^Neural: a network/],
])('a lion user starts with the best model that works: Lion is %s', async (_what, lion, label, words) => {
  vi.mocked(publicConfig).mockResolvedValue({ ...CONFIG, models: { ...CONFIG.models, lion } });

  show(LION);

  expect(await screen.findByText(words)).toBeDefined();
  expect(screen.getByRole('combobox', { name: 'Model' }).textContent).toBe(label);
});

test.each<[string, ModelStatus['state'], RegExp]>([
  ['not trained', 'not-trained', /^Not trained yet: it cannot forecast/],
  ['out of order', 'disabled', /^Out of order: it cannot forecast/],
])('a picked model that is %s says so before it is asked', async (_what, state, words) => {
  const models = { ...CONFIG.models, lion: { state, kind: null, version: null } };
  vi.mocked(publicConfig).mockResolvedValue({ ...CONFIG, models });
  show(LION);
  await screen.findByText(/^Neural/);

  await pick('Model', 'Lion (Kat 2.4)');

  expect(await screen.findByText(words)).toBeDefined();
});

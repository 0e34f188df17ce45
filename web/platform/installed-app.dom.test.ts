import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { installOfflinePage } from './installed-app.ts';
import { fakeBackend } from './testing/fake-backend.ts';

const register = vi.fn(async () => ({}));

/** Whether the page has its own window. */
function openedAs(kind: 'app' | 'tab'): void {
  vi.spyOn(window, 'matchMedia').mockReturnValue(
    Object.assign(new EventTarget(), { matches: kind === 'app' }) as MediaQueryList,
  );
}

beforeEach(() => {
  register.mockClear();
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: { register } });
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

test('gives an installed app its worker immediately', () => {
  openedAs('app');
  installOfflinePage();

  expect(register.mock.calls).toEqual([['/app-worker.js']]);
});

test('gives a tab none until the app is installed from it', () => {
  openedAs('tab');
  installOfflinePage();
  expect(register).not.toHaveBeenCalled();

  window.dispatchEvent(new Event('appinstalled'));

  expect(register).toHaveBeenCalledTimes(1);
});

test('reports a browser that refuses the worker, and ignores one without workers', async () => {
  const backend = fakeBackend();
  openedAs('app');
  register.mockRejectedValueOnce(new DOMException('refused', 'SecurityError'));
  installOfflinePage();
  await vi.waitFor(() => expect(backend.errors()).toHaveLength(1));

  Reflect.deleteProperty(navigator, 'serviceWorker');
  expect(installOfflinePage).not.toThrow();
});

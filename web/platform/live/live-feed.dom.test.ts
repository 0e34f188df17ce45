import { afterEach, expect, test, vi } from 'vitest';
import { resetPageState } from '../../page-state.ts';
import { liveFeed } from './live-feed.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('leaves no timer behind when the page ends, also for a part that leaves later', () => {
  vi.useFakeTimers();
  const sockets: EventTarget[] = [];
  vi.stubGlobal(
    'WebSocket',
    class extends EventTarget {
      constructor() {
        super();
        sockets.push(this);
      }
      send(): void {}
      close(): void {}
    },
  );
  const feed = liveFeed();
  const watch = () => feed.watch('BTC-USD', ['ticker'], { onEvent() {}, onStatus() {} });
  const [first, second] = [watch(), watch()];
  sockets[0]?.dispatchEvent(new Event('open'));
  first();
  expect(vi.getTimerCount()).toBeGreaterThan(0);

  resetPageState();
  second();

  expect(vi.getTimerCount()).toBe(0);
});

import { expect, test, vi } from 'vitest';
import type { Palette } from '../palette.ts';
import { CountdownLabel } from './countdown-label.ts';
import type { Attached } from './forecast-coordinates.ts';

const PALETTE = { text: 'black', surface: 'white' } as Palette;

test('appears below the tag of the price, moves with it, and disappears without a text', () => {
  const requestUpdate = vi.fn();
  const label = new CountdownLabel(PALETTE);
  label.attached({
    requestUpdate,
    series: { priceToCoordinate: (price: number) => 1000 - price },
  } as unknown as Attached);
  expect([label.y(), label.priceAxisViews().length]).toEqual([null, 0]);

  label.show(900, '0:23', PALETTE);
  const [view] = label.priceAxisViews();
  expect([label.y(), view?.fixedCoordinate?.(), view?.text()]).toEqual([118, 118, '0:23']);
  label.show(900, '0:23', PALETTE);
  expect(requestUpdate).toHaveBeenCalledOnce();

  label.show(950, '0:22', PALETTE);
  expect(view?.fixedCoordinate?.()).toBe(68);
  label.show(950, '', PALETTE);
  expect(label.priceAxisViews()).toEqual([]);
});

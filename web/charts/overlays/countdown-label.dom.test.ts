import { expect, test, vi } from 'vitest';
import type { Palette } from '../palette.ts';
import { CountdownLabel } from './countdown-label.ts';
import type { Attached } from './forecast-coordinates.ts';

const PALETTE = { text: 'black', surface: 'white' } as Palette;

test('appears below the tag of the price, or above where another tag is, and disappears without room or text', () => {
  const requestUpdate = vi.fn();
  const others: number[] = [];
  const label = new CountdownLabel(PALETTE, () => others);
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
  others.push(935);
  expect(label.y()).toBe(32);
  others.push(965);
  expect(label.y()).toBeNull();
  label.show(950, '', PALETTE);
  expect(label.priceAxisViews()).toEqual([]);
});

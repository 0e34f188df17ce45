import { expect, test, vi } from 'vitest';
import { type AxisTag, createPriceScale } from './price-scale.ts';

const HEIGHT_PX = 200;
const aTag = (price: number): AxisTag => ({ price, text: String(price), textColour: '#000', colour: '#fff' });

/** A pixel is a dollar: the pane shows prices from 0 at its bottom to 200 at its top. */
function attachedScale() {
  const scale = createPriceScale();
  const requestUpdate = vi.fn();
  const pane = { width: 600, height: HEIGHT_PX };
  scale.guest.attached?.({
    chart: { paneSize: () => pane, chartElement: () => ({}) },
    series: { priceToCoordinate: (price: number) => HEIGHT_PX - price },
    requestUpdate,
  } as never);
  const tags = () => (scale.guest.priceAxisViews?.() ?? []).map((view) => [view.text(), view.coordinate()]);
  return { scale, tags, requestUpdate };
}

test('gives the axis its tags, so that the axis moves them apart, and keeps those out of view at the edge', () => {
  const { scale, tags } = attachedScale();

  scale.showTags([aTag(120), aTag(900), aTag(-50)]);

  expect(tags()).toEqual([
    ['120', 80],
    ['900', 10],
    ['-50', 190],
  ]);
  expect(scale.guest.taggedPrices?.()).toEqual([120, 900, -50]);
});

test('draws again for other tags only, since each drawing reports itself', () => {
  const { scale, requestUpdate } = attachedScale();
  scale.showTags([aTag(120)]);
  scale.showTags([aTag(120)]);
  expect(requestUpdate).toHaveBeenCalledTimes(1);

  scale.showTags([aTag(121)]);
  scale.showTags([]);

  expect(requestUpdate).toHaveBeenCalledTimes(3);
});

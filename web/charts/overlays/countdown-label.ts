/** Text on the price axis, below the tag of the newest price: the time until its candle closes, or the price's age. */
import type { ISeriesPrimitive, ISeriesPrimitiveAxisView, Time } from 'lightweight-charts';
import type { Palette } from '../palette.ts';
import type { Attached } from './forecast-coordinates.ts';

/** From the middle of the tag to that of the text below it, CSS pixels at 12 px type. */
const BELOW_PX = 18;
/** Out of sight, so that the axis reserves no place for it. */
const NOWHERE_PX = -1000;

export class CountdownLabel implements ISeriesPrimitive<Time> {
  private attachment: Attached | null = null;
  private price: number | null = null;
  private text = '';
  private palette: Palette;

  constructor(palette: Palette) {
    this.palette = palette;
  }

  attached(param: Attached): void {
    this.attachment = param;
  }

  detached(): void {
    this.attachment = null;
  }

  /** @param text  '' for none */
  show(price: number | null, text: string, palette: Palette): void {
    const isSame = price === this.price && text === this.text && palette === this.palette;
    Object.assign(this, { price, text, palette });
    if (!isSame) this.attachment?.requestUpdate();
  }

  /** Its middle, CSS pixels from the pane's top; null while it is not shown. */
  y(): number | null {
    const tagY = this.price === null || this.text === '' ? null : this.attachment?.series.priceToCoordinate(this.price);
    return tagY == null ? null : tagY + BELOW_PX;
  }

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    if (this.y() === null) return [];
    return [
      {
        coordinate: () => NOWHERE_PX,
        fixedCoordinate: () => this.y() ?? NOWHERE_PX,
        text: () => this.text,
        textColor: () => this.palette.text,
        backColor: () => this.palette.surface,
      },
    ];
  }
}

/** Text on the price axis, below the tag of the newest price, or above it: the time until its candle closes, or the price's age. */
import type { ISeriesPrimitive, ISeriesPrimitiveAxisView, Time } from 'lightweight-charts';
import { textScale } from '../../ui/browser/text-scale.ts';
import type { Palette } from '../palette.ts';
import type { Attached } from './forecast-coordinates.ts';

/** From the middle of the tag to that of the text beside it, CSS pixels at 12 px type. */
const BESIDE_PX = 18;
/** Height of a tag with some padding, at the same type. */
const TAG_PX = 20;
/** Out of sight, so that the axis reserves no place for it. */
const NOWHERE_PX = -1000;

export class CountdownLabel implements ISeriesPrimitive<Time> {
  private attachment: Attached | null = null;
  private price: number | null = null;
  private text = '';
  private palette: Palette;
  private readonly otherPrices: () => readonly number[];

  /** @param otherPrices  of the axis's other tags, which it must not cover */
  constructor(palette: Palette, otherPrices: () => readonly number[]) {
    this.palette = palette;
    this.otherPrices = otherPrices;
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

  /** Its middle, CSS pixels from the pane's top; null while it is not shown, or has no room. */
  y(): number | null {
    const toY = (price: number) => this.attachment?.series.priceToCoordinate(price) ?? null;
    const tagY = this.price === null || this.text === '' ? null : toY(this.price);
    if (tagY === null) return null;
    const scale = textScale();
    const others = this.otherPrices().map(toY);
    const isFree = (y: number) => others.every((other) => other === null || Math.abs(other - y) >= TAG_PX * scale);
    return [tagY + BESIDE_PX * scale, tagY - BESIDE_PX * scale].find(isFree) ?? null;
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

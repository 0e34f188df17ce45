/** A drawing on a chart: it belongs to a series, and the chart draws again when what it shows changes. */
import type { IPrimitivePaneView, ISeriesPrimitive, PrimitivePaneViewZOrder, Time } from 'lightweight-charts';
import { textScale } from '../../ui/browser/text-scale.ts';
import type { Palette } from '../palette.ts';
import type { Attached } from './forecast-coordinates.ts';

export interface Painting {
  context: CanvasRenderingContext2D;
  /** Of the pane, CSS pixels. */
  height: number;
  attachment: Attached;
  palette: Palette;
}

export abstract class PaintedPrimitive<Shown> implements ISeriesPrimitive<Time> {
  protected shown: Shown | null = null;
  private attachment: Attached | null = null;
  protected palette: Palette | null;
  private readonly order: PrimitivePaneViewZOrder;

  /** @param palette  null until it is known  @param order  'bottom': under the grid's lines */
  constructor(palette: Palette | null, order: PrimitivePaneViewZOrder) {
    this.palette = palette;
    this.order = order;
  }

  protected abstract paint(painting: Painting, shown: Shown): void;

  attached(param: Attached): void {
    this.attachment = param;
  }

  detached(): void {
    this.attachment = null;
  }

  show(shown: Shown | null, palette: Palette | null): void {
    this.shown = shown;
    this.palette = palette;
    this.attachment?.requestUpdate();
  }

  paneViews(): readonly IPrimitivePaneView[] {
    const { shown, attachment, palette } = this;
    if (shown === null || attachment === null || palette === null) return [];
    const renderer: ReturnType<IPrimitivePaneView['renderer']> = {
      draw: (target) =>
        target.useMediaCoordinateSpace(({ context, mediaSize: { height } }) => {
          context.save();
          this.paint({ context, height, attachment, palette }, shown);
          context.restore();
        }),
    };
    return [{ zOrder: () => this.order, renderer: () => renderer }];
  }
}

/** Text of a chart's drawings. */
export const drawnFont = () => `500 ${12 * textScale()}px "Inter Variable", system-ui, sans-serif`;

/** The chart library's settings for candles. */
import {
  ColorType,
  CrosshairMode,
  type DeepPartial,
  LineStyle,
  type TickmarksPriceFormatterFn,
  type Time,
  type TimeChartOptions,
} from 'lightweight-charts';
import { textScale } from '../../ui/browser/text-scale.ts';
import type { Palette } from '../palette.ts';
import { dayTimeLabel } from './describe-series.ts';

export interface AxisLabels {
  format(price: number): string;
  labelTicks: TickmarksPriceFormatterFn;
  labelTime(time: Time): string;
}

export function chartOptions(
  palette: Palette,
  { format, labelTicks, labelTime }: AxisLabels,
  isMotionReduced: boolean,
): DeepPartial<TimeChartOptions> {
  return {
    ...chartColours(palette),
    timeScale: {
      borderColor: palette.line,
      timeVisible: true,
      secondsVisible: false,
      fixLeftEdge: true,
      // 150 candles and a forecast of 50 fit on the narrowest phone.
      minBarSpacing: 0.5,
      tickMarkFormatter: labelTime,
    },
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false, axisPressedMouseMove: true, pinch: true },
    kineticScroll: { mouse: false, touch: !isMotionReduced },
    localization: {
      priceFormatter: format,
      tickmarksPriceFormatter: labelTicks,
      timeFormatter: (time: Time) => dayTimeLabel(Number(time)),
    },
  };
}

export function candleSeriesOptions(decimals: number) {
  return {
    priceLineVisible: false,
    lastValueVisible: false,
    priceFormat: { type: 'price', precision: decimals, minMove: Number(`1e-${decimals}`) },
  } as const;
}

export function chartColours(palette: Palette): DeepPartial<TimeChartOptions> {
  const crosshair = {
    color: palette.muted,
    labelBackgroundColor: palette.muted,
    style: LineStyle.Dotted,
    width: 1,
  } as const;
  return {
    layout: {
      background: { type: ColorType.Solid, color: 'rgba(0, 0, 0, 0)' },
      textColor: palette.muted,
      fontFamily: '"JetBrains Mono Variable", ui-monospace, monospace',
      fontSize: 12 * textScale(),
      // The logo needs a style element, which the content policy refuses; the page names the library instead.
      attributionLogo: false,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: palette.line } },
    crosshair: { mode: CrosshairMode.Normal, vertLine: crosshair, horzLine: crosshair },
    rightPriceScale: { borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.08, bottom: 0.06 } },
    timeScale: { borderColor: palette.line },
  };
}

/** The plot as SVG, with classes for its colours: the page's style sheet gives them, and the picture's own. */
import type { CandlePaths } from '../picture/candle-paths.ts';
import { short } from '../picture/candle-paths.ts';
import type { PicturePalette } from '../picture/palettes.ts';
import type { AxisLabel, ForecastPlot } from './forecast-plot.ts';

export interface PlotText {
  x: number;
  y: number;
  text: string;
  anchor: 'start' | 'middle' | 'end';
}

export interface PlotSvgOptions {
  /** Sets one label. A page writes text; a picture draws outlines, because the renderer has no fonts. */
  textOf(label: PlotText): string;
  fontPx: number;
  /** Of a label, px. */
  widthOf(text: string): number;
  /** Distinguishes the clip paths of two plots of one document. */
  name: string;
}

export function plotSvg(plot: ForecastPlot, options: PlotSvgOptions): string {
  const { textOf, fontPx, name } = options;
  const { innerWidth: right, innerHeight: bottom, joinX, step, outcome, outcomeEnd: end } = plot;
  const price = ({ at, text }: AxisLabel): string =>
    `<path class="grid" d="M0 ${short(at)}H${short(right)}"/>${textOf({ x: right + fontPx / 2, y: at + fontPx * 0.36, text, anchor: 'start' })}`;
  const time = ({ at, text }: AxisLabel): string => textOf({ x: at, y: bottom + fontPx * 1.5, text, anchor: 'middle' });
  const played = `played-${name}`;
  // A clip of full width; the replay makes it narrower.
  const clip = `<clipPath id="${played}"><rect class="played" x="0" y="${-fontPx}" width="${short(right + step)}" height="${short(bottom + 2 * fontPx)}"/></clipPath>`;
  const dot =
    end === null ? '' : `<circle class="end" cx="${short(end.x)}" cy="${short(end.y)}" r="${short(fontPx * 0.24)}"/>`;
  return [
    `<path class="tint" d="M${short(joinX)} 0H${short(right)}V${short(bottom)}H${short(joinX)}Z"/>`,
    `<g class="axis">${plot.prices.map(price).join('')}${plot.times.map(time).join('')}</g>`,
    drawn('band95', plot.band95),
    drawn('band80', plot.band80),
    `<path class="join" d="M${short(joinX)} 0V${short(bottom)}"/>`,
    candles('real', plot.history),
    candles('drawn', plot.path),
    drawn('passed', plot.passed),
    releaseMarks(plot, options),
    outcome === ''
      ? ''
      : `${clip}<g clip-path="url(#${played})"><path class="halo" d="${outcome}"/><path class="outcome" d="${outcome}"/>${dot}</g>`,
  ].join('');
}

/** A label is beside its line at the bottom, and never before the forecast; without room for it the line is alone. */
function releaseMarks(
  { releases, joinX, innerWidth, innerHeight }: ForecastPlot,
  { textOf, widthOf, fontPx }: PlotSvgOptions,
): string {
  if (releases.length === 0) return '';
  const gap = fontPx / 3;
  let takenX = joinX;
  const labels = releases.map(({ at, text }, i) => {
    const width = widthOf(text);
    const [leftX, nextX] = [at - gap - width, releases[i + 1]?.at ?? innerWidth];
    const isRight = at + gap + width <= nextX;
    const isLeft = !isRight && leftX >= takenX;
    takenX = at + (isRight ? gap + width : 0);
    if (!isRight && !isLeft) return '';
    return textOf({
      x: isRight ? at + gap : at - gap,
      y: innerHeight - gap,
      text,
      anchor: isRight ? 'start' : 'end',
    });
  });
  const lines = releases.map(({ at }) => `M${short(at)} 0V${short(innerHeight)}`).join('');
  return `<g class="axis">${drawn('release', lines)}${labels.join('')}</g>`;
}

function candles(kind: 'real' | 'drawn', paths: CandlePaths): string {
  return `<g class="${kind}">${drawn('up', paths.upWicks + paths.upBodies)}${drawn('down', paths.downWicks + paths.downBodies)}</g>`;
}

function drawn(name: string, d: string): string {
  return d === '' ? '' : `<path class="${name}" d="${d}"/>`;
}

/** Names of a palette's colours and opacities. */
export type PlotColour = Exclude<keyof PicturePalette, 'text' | 'muted'> | 'text' | 'muted';

/** Style rules of a plot. @param of  the value of a colour: its own, or a variable of the page */
export function plotStyle(of: (colour: PlotColour) => string, { pen = 1.25 }: { pen?: number } = {}): string {
  const band = of('bandColour');
  return [
    `.tint{fill:${band};fill-opacity:${of('tintOpacity')}}`,
    `.band95{fill:${band};fill-opacity:${of('outerOpacity')}}`,
    `.band80{fill:${band};fill-opacity:${of('innerOpacity')}}`,
    `.join{fill:none;stroke:${of('accent')};stroke-width:${pen}}`,
    `.grid{fill:none;stroke:${of('line')};stroke-width:1}`,
    `.release{fill:none;stroke:${of('muted')};stroke-opacity:.6;stroke-width:1;stroke-dasharray:3}`,
    `.axis{fill:${of('muted')}}`,
    `.real path,.drawn path{stroke-width:${pen}}`,
    `.real .up{fill:${of('surface')};stroke:${of('up')}}.real .down{fill:${of('down')};stroke:${of('down')}}`,
    `.drawn .up{fill:none;stroke:${of('up')}}.drawn .down{fill:${of('down')};fill-opacity:.25;stroke:${of('down')}}`,
    `.passed{fill:none;stroke:${of('accent')};stroke-width:${pen};stroke-dasharray:${pen * 3}}`,
    `.halo,.outcome{fill:none;stroke-linejoin:round;stroke-linecap:round}`,
    `.halo{stroke:${of('surface')};stroke-width:${pen * 4}}.outcome{stroke:${of('text')};stroke-width:${pen * 1.6}}`,
    `.end{fill:${of('text')};stroke:${of('surface')};stroke-width:${pen}}`,
  ].join('');
}

import { type Palette, withAlpha } from '../palette.ts';
import { type LineLayout, type LinePoint, lineLayout } from './line-layout.ts';

export interface LinePicture {
  /** At least one. */
  points: readonly LinePoint[];
  /** The last point's period is not over yet: its segment is dashed. */
  isLastOpen: boolean;
  /** The highlighted point; null for none. */
  index: number | null;
  format(value: number): string;
}

/** CSS pixels. */
export interface CanvasBox {
  width: number;
  height: number;
  /** Device pixels per CSS pixel. */
  ratio: number;
  /** Of the text. */
  scale: number;
}

const FONT_PX = 12;
const AXIS_GAP_PX = 8;
const LINE_PX = 1.5;

/** @returns the layout, to find the point below a pointer; null if nothing can be drawn */
export function drawLineChart(
  canvas: HTMLCanvasElement,
  picture: LinePicture,
  box: CanvasBox,
  palette: Palette,
): LineLayout | null {
  const context = canvas.getContext('2d');
  if (context === null || box.width <= 0) return null;
  canvas.width = Math.round(box.width * box.ratio);
  canvas.height = Math.round(box.height * box.ratio);
  context.scale(box.ratio, box.ratio);
  context.font = `${FONT_PX * box.scale}px "JetBrains Mono Variable", ui-monospace, monospace`;
  const layout = layoutOf(context, picture, box);
  drawAxes(context, layout, box, palette);
  drawLine(context, layout, picture, palette);
  const { points, index } = picture;
  const pointed = index === null ? undefined : points[index];
  if (pointed !== undefined) drawCrosshair(context, layout, pointed, box, palette);
  const marked = pointed ?? points.at(-1);
  if (marked !== undefined) drawDot(context, layout.x(marked.timeS), layout.y(marked.value), palette);
  return layout;
}

/** The value axis is as wide as its widest label, which is known only after the ticks. */
function layoutOf(context: CanvasRenderingContext2D, { points, format }: LinePicture, box: CanvasBox) {
  const draft = lineLayout(points, { ...box, axisPx: 0 }, format);
  const axisPx = Math.max(0, ...draft.values.map(({ label }) => context.measureText(label).width)) + AXIS_GAP_PX;
  return lineLayout(points, { ...box, axisPx }, format);
}

/** Centred on a device pixel, so that a hairline stays one pixel wide. */
function sharp(px: number, ratio: number): number {
  return (Math.round(px * ratio) + 0.5) / ratio;
}

function drawAxes(
  context: CanvasRenderingContext2D,
  layout: LineLayout,
  { height, ratio, scale }: CanvasBox,
  palette: Palette,
) {
  context.lineWidth = 1 / Math.min(ratio, 2);
  context.strokeStyle = palette.line;
  context.fillStyle = palette.muted;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  for (const { at, label } of layout.values) {
    stroke(context, layout.left, sharp(at, ratio), layout.right, sharp(at, ratio));
    context.fillText(label, layout.right + AXIS_GAP_PX, at);
  }
  stroke(context, layout.left, sharp(layout.bottom, ratio), layout.right, sharp(layout.bottom, ratio));
  context.textAlign = 'center';
  for (const { at, label } of layout.times) {
    stroke(context, sharp(at, ratio), layout.bottom, sharp(at, ratio), layout.bottom + 4);
    const half = context.measureText(label).width / 2;
    const isWhole = at - half >= 0 && at + half <= layout.right + AXIS_GAP_PX;
    if (isWhole) context.fillText(label, at, height - 9 * scale);
  }
}

function drawLine(
  context: CanvasRenderingContext2D,
  layout: LineLayout,
  { points, isLastOpen }: LinePicture,
  palette: Palette,
) {
  const places = points.map(({ timeS, value }) => ({ x: layout.x(timeS), y: layout.y(value) }));
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined || places.length < 2) return;

  const ground = context.createLinearGradient(0, layout.top, 0, layout.bottom);
  ground.addColorStop(0, withAlpha(palette.text, 0.12));
  ground.addColorStop(1, withAlpha(palette.text, 0.01));
  context.fillStyle = ground;
  trace(context, places);
  context.lineTo(last.x, layout.bottom);
  context.lineTo(first.x, layout.bottom);
  context.fill();

  context.strokeStyle = palette.text;
  context.lineWidth = LINE_PX;
  context.lineJoin = 'round';
  const closed = isLastOpen ? places.slice(0, -1) : places;
  trace(context, closed);
  context.stroke();
  if (!isLastOpen) return;
  context.setLineDash([3, 2]);
  trace(context, places.slice(-2));
  context.stroke();
  context.setLineDash([]);
}

function trace(context: CanvasRenderingContext2D, places: readonly { x: number; y: number }[]) {
  context.beginPath();
  places.forEach(({ x, y }, i) => {
    if (i === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  });
}

function drawCrosshair(
  context: CanvasRenderingContext2D,
  layout: LineLayout,
  { timeS, value }: LinePoint,
  { ratio }: CanvasBox,
  palette: Palette,
) {
  const [x, y] = [sharp(layout.x(timeS), ratio), sharp(layout.y(value), ratio)];
  context.strokeStyle = palette.muted;
  context.lineWidth = 1;
  context.setLineDash([1, 3]);
  stroke(context, x, layout.top, x, layout.bottom);
  stroke(context, layout.left, y, layout.right, y);
  context.setLineDash([]);
}

function drawDot(context: CanvasRenderingContext2D, x: number, y: number, palette: Palette) {
  context.beginPath();
  context.arc(x, y, 4, 0, 2 * Math.PI);
  context.fillStyle = palette.text;
  context.fill();
  context.lineWidth = 2;
  context.strokeStyle = palette.surface;
  context.stroke();
}

function stroke(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

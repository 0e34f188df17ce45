/**
 * A line chart of points with a text alternative; pointer, finger and arrow keys choose the point whose figures show.
 */
import { type PointerEvent, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { formatPercent } from '#domain/format/price.ts';
import { textScale } from '../../ui/browser/text-scale.ts';
import { classNames } from '../../ui/styles/class-names.ts';
import { onThemeChange, type Palette, readPalette } from '../palette.ts';
import { KeySlider } from '../plots/frame/key-slider.tsx';
import { useWidth } from '../plots/frame/use-width.ts';
import { describeLine, type LineTexts, spokenPoint } from './describe-line.ts';
import styles from './line-canvas.module.css';
import { drawLineChart } from './line-drawing.ts';
import { type LineLayout, type LinePoint, nearestPoint, timeAt } from './line-layout.ts';

export const LINE_CHART_PX = 280;
const FALLBACK_PX = 340;

export interface LineCanvasProps {
  points: readonly LinePoint[];
  /** The last point's period is not over yet. */
  isLastOpen: boolean;
  texts: LineTexts;
}

export function LineCanvas({ points, isLastOpen, texts }: LineCanvasProps) {
  const hostRef = useRef<HTMLDivElement>(null);
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const layoutRef = useRef<LineLayout | null>(null);
  const paletteRef = useRef<Palette | null>(null);
  const width = useWidth(hostRef, FALLBACK_PX);
  const themeVersion = useThemeVersion();
  const [pointed, setPointed] = useState<number | null>(null);
  // The data may have shrunk since a point was chosen.
  const index = pointed === null || pointed >= points.length ? null : pointed;
  const shown = index ?? points.length - 1;
  const label = useMemo(() => describeLine(points, isLastOpen, texts), [points, isLastOpen, texts]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    if (hostRef.current !== null) paletteRef.current = readPalette(hostRef.current);
  }, [themeVersion]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    const [canvas, palette] = [canvasRef.current, paletteRef.current];
    if (canvas === null || palette === null || points.length === 0) return;
    const box = { width, height: LINE_CHART_PX, ratio: window.devicePixelRatio || 1, scale: textScale() };
    layoutRef.current = drawLineChart(canvas, { points, isLastOpen, index, format: texts.format }, box, palette);
  }, [points, isLastOpen, index, texts, width, themeVersion]);

  function pointAt(event: PointerEvent<HTMLDivElement>): void {
    const layout = layoutRef.current;
    if (layout === null) return;
    const px = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setPointed(nearestPoint(points, timeAt(points, layout, px)));
  }

  return (
    <div className="min-width-0 steppable">
      <ReadOut points={points} index={shown} isLastOpen={isLastOpen} texts={texts} />
      <div
        ref={hostRef}
        className={styles.host}
        role="img"
        aria-label={label}
        data-point-count={points.length}
        data-index={index ?? undefined}
        onPointerDown={pointAt}
        onPointerMove={pointAt}
        onPointerLeave={() => setPointed(null)}
        onPointerCancel={() => setPointed(null)}
      >
        {points.length === 0 ? <NoLine /> : <canvas ref={canvasRef} />}
      </div>
      {points.length > 0 && (
        <KeySlider
          name={`Points of ${texts.name}`}
          count={points.length}
          index={shown}
          onIndex={setPointed}
          spoken={spokenPoint(points, shown, isLastOpen, texts)}
          onLeave={() => setPointed(null)}
        />
      )}
    </div>
  );
}

/** Shown instead of a line chart, at the same height, when there are no points. */
export function NoLine() {
  return <p className={styles.none}>No data</p>;
}

interface ReadOutProps extends LineCanvasProps {
  index: number;
}

/** Hidden from assistive technology: the slider announces the same. */
function ReadOut({ points, index, isLastOpen, texts }: ReadOutProps) {
  const point = points[index];
  const before = points[index - 1];
  const change = point === undefined || before === undefined ? null : point.value / before.value - 1;
  const isOpen = isLastOpen && index === points.length - 1;
  return (
    <p className={styles.readout} aria-hidden="true" data-readout="">
      {point !== undefined && (
        <>
          <strong className="figures size-20 weight-600">{texts.format(point.value)}</strong>
          {change !== null && (
            <span className={classNames('figures', change < 0 ? styles.down : styles.up)}>
              {`${change < 0 ? '▼' : '▲'} ${formatPercent(change)}`}
            </span>
          )}
          <span className={styles.place}>{`${texts.placeOf(point.timeS)}${isOpen ? ', in progress' : ''}`}</span>
        </>
      )}
    </p>
  );
}

/** Changes when the picture must be redrawn with the same data: theme, palette, another screen. */
function useThemeVersion(): number {
  const [themeVersion, change] = useReducer((count: number) => count + 1, 0);
  useEffect(() => onThemeChange(change), []);
  useEffect(() => {
    // The figures' font may load after the first drawing. Tests have no fonts.
    if ('fonts' in document) void document.fonts.ready.then(change);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query contains the current pixel ratio
  useEffect(() => {
    const query = matchMedia(`(resolution: ${window.devicePixelRatio || 1}dppx)`);
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, [themeVersion]);
  return themeVersion;
}

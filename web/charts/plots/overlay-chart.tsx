/** Shares over time, and another line over them on a separate scale. An SVG, so that every theme colours it. */
import { type PointerEvent, useId, useRef, useState } from 'react';
import { useTextScale } from '../../ui/browser/text-scale.ts';
import { classNames } from '../../ui/styles/class-names.ts';
import { type LinePoint, nearestPoint } from '../line/line-layout.ts';
import { KeySlider } from './frame/key-slider.tsx';
import { useWidth } from './frame/use-width.ts';
import styles from './overlay-chart.module.css';
import { linePath, overlayLayout, sharePaths } from './overlay-layout.ts';

export interface SharePoint {
  /** Epoch seconds, in ascending order. */
  timeS: number;
  /** Per cent; null for none, which breaks the line. */
  share: number | null;
  /** Label below the point: 'Thu'. */
  label: string;
  /** Text shown and announced when the point is chosen. */
  text: string;
}

export interface OverlayChartProps {
  name: string;
  label: string;
  /** At least one; the last one's period is not over yet. */
  points: readonly SharePoint[];
  /** Empty without an overlay. */
  overlay: readonly LinePoint[];
  format(value: number): string;
  fromS: number;
  toS: number;
}

const FALLBACK_PX = 340;
const HEIGHT_PX = 168;

export function OverlayChart({ name, label, points, overlay, format, fromS, toS }: OverlayChartProps) {
  const hostRef = useRef<HTMLDivElement>(null);
  const width = useWidth(hostRef, FALLBACK_PX);
  const [pointed, setPointed] = useState<number | null>(null);
  const clipId = useId();
  const layout = overlayLayout(overlay, { width, height: HEIGHT_PX, fromS, toS, scale: useTextScale() });
  const { left, right, top, bottom, x, y, overY } = layout;
  // The data may have shrunk since a point was chosen.
  const shown = Math.min(pointed ?? points.length - 1, points.length - 1);
  const here = points[shown];
  const share = sharePaths(points, layout);

  function pointAt(event: PointerEvent<HTMLDivElement>): void {
    const px = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const places = points.map(({ timeS }) => ({ timeS: x(timeS), value: 0 }));
    setPointed(nearestPoint(places, px));
  }

  return (
    <div className="steppable">
      {/* Hidden from assistive technology: the slider announces the same. */}
      <p className={classNames('figures', styles.readout)} aria-hidden="true" data-readout="">
        {here?.text}
      </p>
      <div
        ref={hostRef}
        className={styles.host}
        role="img"
        aria-label={label}
        data-point-count={points.length}
        data-overlay-count={overlay.length}
        onPointerDown={pointAt}
        onPointerMove={pointAt}
        onPointerLeave={() => setPointed(null)}
        onPointerCancel={() => setPointed(null)}
      >
        <svg width={width} height={HEIGHT_PX} aria-hidden="true">
          {[0, 50, 100].map((percent) => (
            <g key={percent}>
              <path d={`M${left} ${y(percent)}H${right}`} className={percent === 50 ? styles.middle : styles.grid} />
              <text x={left - 6} y={y(percent)} textAnchor="end" className={styles.tick}>
                {`${percent}%`}
              </text>
            </g>
          ))}
          {layout.ticks.map((tick) => (
            <text key={tick} x={right + 6} y={overY(tick)} className={styles.tick}>
              {format(tick)}
            </text>
          ))}
          {points.map(({ timeS, label: day }) => (
            <text key={timeS} x={x(timeS)} y={HEIGHT_PX - 7} textAnchor="middle" className={styles.tick}>
              {day}
            </text>
          ))}
          {here !== undefined && <path d={`M${x(here.timeS)} ${top}V${bottom}`} className={styles.here} />}
          {(['above', 'below'] as const).map((side) => (
            <g key={side}>
              <clipPath id={clipId + side}>
                <rect x={left} y={side === 'above' ? top : y(50)} width={right - left} height={y(50) - top} />
              </clipPath>
              <path d={share.area} className={styles[side]} clipPath={`url(#${clipId + side})`} />
            </g>
          ))}
          <path d={linePath(overlay, x, overY)} className={styles.overlay} />
          <path d={share.line} className={styles.line} />
          {points.map(
            ({ timeS, share: percent }, i) =>
              percent !== null && (
                <circle
                  key={timeS}
                  cx={x(timeS)}
                  cy={y(percent)}
                  r={i === shown ? 5 : 3.5}
                  className={i === points.length - 1 ? styles.open : styles.dot}
                />
              ),
          )}
        </svg>
      </div>
      <KeySlider
        name={name}
        count={points.length}
        index={shown}
        onIndex={setPointed}
        spoken={here?.text}
        onLeave={() => setPointed(null)}
      />
    </div>
  );
}

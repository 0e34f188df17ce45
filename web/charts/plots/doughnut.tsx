import { formatPrice, plainPercent } from '#domain/format/price.ts';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './frame/plot.module.css';
import { FigureLine } from './frame/plot-frame.tsx';

export interface DoughnutShare {
  name: string;
  shape: 'circle' | 'square';
  /** Whole, not negative. */
  value: number;
}

export interface DoughnutProps {
  name: string;
  /** Unit of the sum: 'paid users'. */
  unit: string;
  shares: readonly DoughnutShare[];
  height: number;
}

const OUTER_PX = 100;
const INNER_PX = 66;
const GAP_PX = 1.25;

export function Doughnut({ name, unit, shares, height }: DoughnutProps) {
  const sum = shares.reduce((total, { value }) => total + value, 0);
  let before = 0;
  return (
    <div className={classNames(styles.plot, styles.tall)}>
      <svg
        width="100%"
        height={height}
        viewBox={`${-height / 2} ${-height / 2} ${height} ${height}`}
        role="img"
        aria-label={describeShares(name, unit, shares, sum)}
      >
        {sum === 0 && <path d={ring(0, 1)} className={styles.grid} />}
        {shares.map(({ name: of, shape, value }) => {
          const from = before / (sum || 1);
          before += value;
          return (
            value > 0 && (
              <path
                key={of}
                d={ring(from, before / sum)}
                className={styles[shape]}
                data-value={value}
                fillRule="evenodd"
              />
            )
          );
        })}
        <text y={-8} textAnchor="middle" dominantBaseline="central" className={styles.total}>
          {formatPrice(sum, 0)}
        </text>
        <text y={20} textAnchor="middle" dominantBaseline="central" className={styles.axis}>
          {unit}
        </text>
      </svg>
      <ul className={classNames(styles.below, styles.lines)}>
        {shares.map((share) => (
          <FigureLine key={share.name} name={share.name} shape={share.shape}>
            {formatPrice(share.value, 0)}
            <span className="muted"> {percent(share.value, sum)}</span>
          </FigureLine>
        ))}
      </ul>
    </div>
  );
}

/** A part of the ring, clockwise from the top, with a small gap on either side. @param from, to  0 to 1 */
function ring(from: number, to: number): string {
  if (to - from >= 1) return `${circle(OUTER_PX)}${circle(INNER_PX)}`;
  const edge = (radius: number) => {
    const air = Math.min(GAP_PX / radius, (to - from) * Math.PI);
    return [point(radius, from * 2 * Math.PI + air), point(radius, to * 2 * Math.PI - air)] as const;
  };
  const [outerStart, outerEnd] = edge(OUTER_PX);
  const [innerStart, innerEnd] = edge(INNER_PX);
  const isLarge = to - from > 0.5 ? 1 : 0;
  return `M${outerStart}A${OUTER_PX} ${OUTER_PX} 0 ${isLarge} 1 ${outerEnd}L${innerEnd}A${INNER_PX} ${INNER_PX} 0 ${isLarge} 0 ${innerStart}Z`;
}

function circle(radius: number): string {
  return `M0 ${-radius}A${radius} ${radius} 0 1 1 0 ${radius}A${radius} ${radius} 0 1 1 0 ${-radius}Z`;
}

function point(radius: number, angle: number): string {
  return `${(radius * Math.sin(angle)).toFixed(2)} ${(-radius * Math.cos(angle)).toFixed(2)}`;
}

function percent(value: number, sum: number): string {
  return sum === 0 ? '–' : plainPercent((100 * value) / sum, 0);
}

function describeShares(name: string, unit: string, shares: readonly DoughnutShare[], sum: number): string {
  const parts = shares.map(({ name: of, value }) => `${of} ${formatPrice(value, 0)} (${percent(value, sum)})`);
  return `${name}: ${formatPrice(sum, 0)} ${unit}. ${parts.join(', ')}.`;
}

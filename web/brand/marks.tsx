/** The site's own marks, in one colour on a 24-unit grid with strokes two units wide. */
import type { SVGAttributes } from 'react';
import { MARK_GRID, MARK_STROKE, MARKS, type MarkName } from '#domain/picture/mark-shapes.ts';

export interface MarkProps extends Omit<SVGAttributes<SVGSVGElement>, 'name'> {
  /** Width and height in pixels. */
  size?: number;
}

/** A cat's eye whose pupil is a candle. */
export function KatMark(props: MarkProps) {
  return <Mark name="kat" {...props} />;
}

export function BobcatMark(props: MarkProps) {
  return <Mark name="bobcat" {...props} />;
}

/** A smooth head. */
export function PantherMark(props: MarkProps) {
  return <Mark name="panther" {...props} />;
}

export function LionMark(props: MarkProps) {
  return <Mark name="lion" {...props} />;
}

export const MODEL_MARKS = { bobcat: BobcatMark, panther: PantherMark, lion: LionMark };

/** Only the strokes, for use within another SVG. */
export function MarkShapes({ name }: { name: MarkName }) {
  return MARKS[name].map(({ d, width, isFilled, isButt }) => (
    <path
      key={d}
      d={d}
      {...(width !== undefined && { strokeWidth: width })}
      {...(isFilled && { fill: 'currentColor' })}
      {...(isButt && { strokeLinecap: 'butt' })}
    />
  ));
}

function Mark({ name, size = 24, ...rest }: MarkProps & { name: MarkName }) {
  return (
    <svg
      viewBox={`0 0 ${MARK_GRID} ${MARK_GRID}`}
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={MARK_STROKE}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...rest}
    >
      <MarkShapes name={name} />
    </svg>
  );
}

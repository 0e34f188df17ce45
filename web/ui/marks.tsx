/** Our own marks on a 24-unit grid, two units wide, one colour: the site's eye and the three models. */
import type { SVGAttributes } from 'react';

export interface MarkProps extends SVGAttributes<SVGSVGElement> {
  /** Width and height in pixels. */
  size?: number;
}

/** A cat's eye whose pupil is a candle. */
export function KatMark(props: MarkProps) {
  return (
    <Mark {...props}>
      <path d="M1.5 12C6 4.8 18 4.8 22.5 12C18 19.2 6 19.2 1.5 12Z" />
      <path d="M12 7v10" />
      <path d="M12 10v4" strokeWidth="5" strokeLinecap="butt" />
    </Mark>
  );
}

/** Short ears with tufts. */
export function BobcatMark(props: MarkProps) {
  return (
    <Mark {...props}>
      <path d="M5 12.5V6l4.2 2.4h5.6L19 6v6.5c0 4.6-3 8-7 8s-7-3.4-7-8Z" />
      <path d="M5 6 3.6 2.6M19 6l1.4-3.4" />
      <path d="M9.3 12.500v1M14.7 12.500v1M11 17h2" />
    </Mark>
  );
}

/** A smooth head. */
export function PantherMark(props: MarkProps) {
  return (
    <Mark {...props}>
      <path d="M4.5 13.500c0-2.2.5-3.6 1.3-4.800C4.8 6.5 6 4.3 8.6 5.800c2-1 4.8-1 6.8 0 2.6-1.5 3.8.7 2.8 2.9.8 1.2 1.3 2.6 1.3 4.8 0 4-3.3 7-7.5 7s-7.5-3-7.5-7Z" />
      <path d="m8 12.2 2.6 1.300M16 12.200l-2.6 1.300M12 17v.2" />
    </Mark>
  );
}

/** A mane of five candles. */
export function LionMark(props: MarkProps) {
  return (
    <Mark {...props}>
      <path d="M3 10v6M7.5 4.500V10M12 2v6M16.5 4.500V10M21 10v6" strokeWidth="3" strokeLinecap="butt" />
      <path d="M7 13.500c0-1 2-2.5 5-2.500s5 1.5 5 2.500c0 5-2 8-5 8s-5-3-5-8Z" />
      <path d="M10.3 15v.6M13.7 15v.6M12 18.300v.2" />
    </Mark>
  );
}

function Mark({ size = 24, children, ...rest }: MarkProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...rest}
    >
      {children}
    </svg>
  );
}

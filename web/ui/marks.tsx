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
      <path d="M12 7v10" strokeWidth="1.5" />
      <rect x="10" y="9" width="4" height="6" rx=".5" fill="currentColor" stroke="none" />
    </Mark>
  );
}

/** Short ears with tufts. */
export function BobcatMark(props: MarkProps) {
  return (
    <Mark {...props}>
      <path d="M4.8 5 9 8.200h6L19.2 5v6l2.3 4-3.3 1.200c-1.1 2.8-3.4 4.3-6.2 4.300s-5.1-1.5-6.2-4.300L2.5 15l2.3-4z" />
      <path d="M4.8 5 4.3 2.400M19.2 5l.5-2.6" strokeWidth="1.2" />
      <path d="M9.3 12.300v.9M14.7 12.300v.9" />
      <path d="M10.8 16h2.400L12 17.300z" strokeWidth="1.2" fill="currentColor" />
    </Mark>
  );
}

/** A smooth head. */
export function PantherMark(props: MarkProps) {
  return (
    <Mark {...props}>
      <path d="M3.5 13c0-2 .5-3.5 1.3-4.700C4 5.5 5.5 3.5 8.4 5.100c2.3-.8 4.9-.8 7.2 0C18.5 3.5 20 5.5 19.2 8.300c.8 1.2 1.3 2.7 1.3 4.7 0 4.5-3.8 8-8.5 8s-8.5-3.5-8.5-8Z" />
      <path d="m8 12 2.5 1.100M16 12l-2.5 1.1" />
      <path d="M10.8 16.300h2.400L12 17.600z" strokeWidth="1.2" fill="currentColor" />
    </Mark>
  );
}

/** A mane of five candles. */
export function LionMark(props: MarkProps) {
  return (
    <Mark {...props}>
      <path d="M2.5 10v8M6.5 3.800v6.500M12 .8v6M17.5 3.800v6.500M21.5 10v8" strokeWidth="1.2" />
      <path
        d="M2.5 11.500v5M6.5 5.200v4M12 2v3.600M17.5 5.200v4M21.5 11.500v5"
        strokeWidth="3.6"
        strokeLinecap="butt"
      />
      <path d="M6.3 14c0-2.5 2.2-4 5.7-4s5.7 1.5 5.7 4c0 1.5-.6 2.6-.6 4 0 2.2-2 3.5-5.1 3.500S6.9 20.2 6.9 18c0-1.4-.6-2.5-.6-4Z" />
      <path d="m8.9 13.6 1.7.8M15.1 13.600l-1.7.8" strokeWidth="1.8" />
      <path d="M10.6 17h2.800L12 18.500z" strokeWidth="1.2" fill="currentColor" />
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

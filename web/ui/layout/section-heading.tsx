import type { ReactNode } from 'react';

export interface SectionHeadingProps {
  /** For the section's `aria-labelledby`. */
  id: string;
  children: string;
  beside?: ReactNode;
  lead?: ReactNode;
}

export function SectionHeading({ id, children, beside, lead }: SectionHeadingProps) {
  return (
    <div>
      <div className="row wrap gap-2-3">
        <h2 id={id} className="size-20">
          {children}
        </h2>
        {beside}
      </div>
      {lead && <p className="muted readable-width margin-top-2">{lead}</p>}
    </div>
  );
}

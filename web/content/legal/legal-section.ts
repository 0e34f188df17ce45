/** One numbered section of the terms or the privacy notice. */
import type { ReactNode } from 'react';

/** Whoever runs the site, in words that also read before the settings are known. */
export interface Operator {
  name: string;
  /** Null while it is not known. */
  email: string | null;
}

export interface LegalSection {
  /** Anchor, unique on the page. */
  id: string;
  title: string;
  body: (operator: Operator) => ReactNode;
}

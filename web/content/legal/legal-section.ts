import type { ReactNode } from 'react';

/** The site's operator; the name also reads well before the settings load. */
export interface Operator {
  name: string;
  /** Null until known. */
  email: string | null;
}

export interface LegalSection {
  /** Anchor, unique on the page. */
  id: string;
  title: string;
  body: (operator: Operator) => ReactNode;
}

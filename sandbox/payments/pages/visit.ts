/** One request for a hosted page: a view or a post. */
import type { PaymentEngine } from '../engine/payment-engine.ts';
import type { heldCards } from './held-cards.ts';

/** A page's answer: the page, or a redirect. */
export type PageAnswer = { status: number; title: string; body: string } | { location: string };

export interface Visit {
  engine: PaymentEngine;
  held: ReturnType<typeof heldCards>;
  id: string;
  /** The posted form; null: the page is only viewed. */
  form: URLSearchParams | null;
}

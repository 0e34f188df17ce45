/** One request for a hosted page: a view or a post. */
import type { Desk } from '../engine/desk.ts';
import type { heldCards } from './held-cards.ts';

/** A page's answer: the page, or a redirect. */
export type PageAnswer = { status: number; title: string; body: string } | { location: string };

export interface Visit {
  desk: Desk;
  held: ReturnType<typeof heldCards>;
  id: string;
  /** The posted form; null: the page is only viewed. */
  form: URLSearchParams | null;
}

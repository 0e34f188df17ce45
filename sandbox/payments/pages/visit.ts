/** One look at a hosted page, or one post to it. */
import type { Desk } from '../engine/desk.ts';
import type { heldCards } from './held-cards.ts';

/** What a page answers: itself, or where to go. */
export type PageAnswer = { status: number; title: string; body: string } | { location: string };

export interface Visit {
  desk: Desk;
  held: ReturnType<typeof heldCards>;
  id: string;
  /** Of the form; null: the page is only looked at. */
  form: URLSearchParams | null;
}

/** One request for a hosted page: a view or a post. */
import { randomUUID } from 'node:crypto';
import type { PaymentEngine } from '../engine/payment-engine.ts';
import type { TestCard } from '../model/cards.ts';

export type PageAnswer = { status: number; title: string; body: string } | { location: string };

export interface Visit {
  engine: PaymentEngine;
  held: ReturnType<typeof heldCards>;
  id: string;
  form: URLSearchParams | null;
}

const MAX_HELD = 100;

export function heldCards() {
  const cards = new Map<string, TestCard>();
  return {
    /** @returns the token that retrieves the card */
    hold(card: TestCard): string {
      const token = randomUUID();
      cards.set(token, card);
      const oldest = cards.keys().next();
      if (cards.size > MAX_HELD && !oldest.done) cards.delete(oldest.value);
      return token;
    },
    /** Works only once. */
    take(token: string | null): TestCard | null {
      const card = cards.get(token ?? '') ?? null;
      cards.delete(token ?? '');
      return card;
    },
  };
}

/** Cards that await their owner's consent: in memory, without their numbers, only the newest. */
import { randomUUID } from 'node:crypto';
import type { Card } from '../model/cards.ts';

const MAX_HELD = 100;

export function heldCards() {
  const cards = new Map<string, Card>();
  return {
    /** @returns the token that retrieves the card */
    hold(card: Card): string {
      const token = randomUUID();
      cards.set(token, card);
      const oldest = cards.keys().next();
      if (cards.size > MAX_HELD && !oldest.done) cards.delete(oldest.value);
      return token;
    },
    /** Works only once. */
    take(token: string | null): Card | null {
      const card = cards.get(token ?? '') ?? null;
      cards.delete(token ?? '');
      return card;
    },
  };
}

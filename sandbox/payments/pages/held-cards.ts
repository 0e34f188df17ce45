/** Cards that await their owner's consent: in memory, without their numbers, only the newest. */
import { randomUUID } from 'node:crypto';
import type { Card } from '../model/cards.ts';

const MAX_HELD = 100;

export function heldCards() {
  const cards = new Map<string, Card>();
  return {
    /** @returns the token that retrieves the card */
    hold(card: Card): string {
      const word = randomUUID();
      cards.set(word, card);
      const oldest = cards.keys().next();
      if (cards.size > MAX_HELD && !oldest.done) cards.delete(oldest.value);
      return word;
    },
    /** Works only once. */
    take(word: string | null): Card | null {
      const card = cards.get(word ?? '') ?? null;
      cards.delete(word ?? '');
      return card;
    },
  };
}

/** What a key does to a select-only combobox. Pure, so that the table of keys can be tested as a table. */

export type PickerAction =
  | { type: 'open'; index?: number }
  | { type: 'move'; index: number }
  | { type: 'choose' | 'close' | 'leave' };

interface Pressed {
  key: string;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
}

interface PickerState {
  isOpen: boolean;
  active: number;
  labels: readonly string[];
}

/** @returns null when the key is not ours */
export function keyAction(pressed: Pressed, state: PickerState): PickerAction | null {
  if (pressed.ctrlKey || pressed.metaKey) return null;
  return state.isOpen ? keyWhileOpen(pressed, state) : keyWhileClosed(pressed, state);
}

function keyWhileClosed({ key }: Pressed, { labels }: PickerState): PickerAction | null {
  if (key === 'ArrowDown' || key === 'ArrowUp' || key === 'Enter' || key === ' ') return { type: 'open' };
  if (key === 'Home') return { type: 'open', index: 0 };
  if (key === 'End') return { type: 'open', index: labels.length - 1 };
  const found = isLetter(key) ? findByLetter(key, -1, labels) : -1;
  return found >= 0 ? { type: 'open', index: found } : null;
}

function keyWhileOpen({ key, altKey }: Pressed, { active, labels }: PickerState): PickerAction | null {
  const last = labels.length - 1;
  if (key === 'ArrowDown') return { type: 'move', index: Math.min(last, active + 1) };
  if (key === 'ArrowUp') return altKey ? { type: 'choose' } : { type: 'move', index: Math.max(0, active - 1) };
  if (key === 'Home') return { type: 'move', index: 0 };
  if (key === 'End') return { type: 'move', index: last };
  if (key === 'Enter' || key === ' ') return { type: 'choose' };
  if (key === 'Escape') return { type: 'close' };
  if (key === 'Tab') return { type: 'leave' };
  const found = isLetter(key) ? findByLetter(key, active, labels) : -1;
  return found >= 0 ? { type: 'move', index: found } : null;
}

function isLetter(key: string): boolean {
  return key.length === 1 && key !== ' ';
}

/** The next label after `from` that starts with the letter, from the top again at the end; -1 when there is none. */
function findByLetter(letter: string, from: number, labels: readonly string[]): number {
  const order = labels.map((_, offset) => (from + 1 + offset) % labels.length);
  return order.find((index) => labels[index]?.toLowerCase().startsWith(letter.toLowerCase())) ?? -1;
}

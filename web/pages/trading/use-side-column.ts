/** What is beside the chart: one of the tabs of its column, or on narrow screens a part below it or a dialog. */
import { useState } from 'react';
import { useIsKnown } from '../../ui/browser/prerendered-store.ts';
import { storedText } from '../../ui/browser/stored-value.ts';
import { useMedia } from '../../ui/browser/use-media.ts';

export const SIDE_TABS = [
  { id: 'book', label: 'Book' },
  { id: 'chances', label: 'Chances' },
  { id: 'watch', label: 'Watch' },
  { id: 'paper', label: 'Paper' },
] as const;

export type Side = (typeof SIDE_TABS)[number]['id'];

/** The same widths as in kat-page.module.css. */
const WIDE = '(width > 68.75em)';
const WIDEST = '(min-width: 112.5em)';

export interface SideColumn {
  /** There is a column beside the chart. */
  isWide: boolean;
  tabs: readonly { id: Side; label: string }[];
  /** The book is beside the chart, alone or with another. */
  hasBook: boolean;
  /** Beside the chart on wide screens; on others chances, below it, or the book. */
  shown: Side;
  show: (side: Side) => void;
  toggle: (side: Side, isOpen: boolean) => void;
  watchlist: { isOpen: boolean; setOpen: (isOpen: boolean) => void };
}

const storedSide = storedText('localStorage', 'kat-side');

/** Beside the chart the column opens as it was left in this browser; a dialog does not open on its own. */
export function useSideColumn(): SideColumn {
  const isWide = useMedia(WIDE);
  // Then the book has a separate column.
  const hasTwo = useMedia(WIDEST);
  const isKnown = useIsKnown();
  const [chosen, setChosen] = useState<Side | null>(null);
  const [hasDialog, setDialog] = useState(false);
  const tabs = hasTwo ? SIDE_TABS.filter(({ id }) => id !== 'book') : SIDE_TABS;
  const wanted = chosen ?? (isKnown && isWide ? storedSide.read() : null);
  const first = hasTwo ? 'paper' : 'book';
  const beside = tabs.find(({ id }) => id === wanted)?.id ?? first;
  const shown = isWide || beside === 'chances' ? beside : first;
  const show = (side: Side) => {
    setChosen(side);
    // Chances are computed on request, so they do not open on their own.
    if (isWideNow() && side !== 'chances') storedSide.write(side === first ? null : side);
  };
  const toggle = (side: Side, isOpen: boolean) => show(isOpen ? side : first);
  return {
    isWide,
    tabs,
    hasBook: hasTwo || shown === 'book',
    shown,
    show,
    toggle,
    watchlist: {
      isOpen: isWide ? shown === 'watch' : hasDialog,
      // A dialog over the chances leaves them open.
      setOpen: (isOpen) => (isWideNow() ? toggle('watch', isOpen) : setDialog(isOpen)),
    },
  };
}

/** Also for a press on a page whose hydration does not know its screen yet. */
function isWideNow(): boolean {
  return matchMedia(WIDE).matches;
}

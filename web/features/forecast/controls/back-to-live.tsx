import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useEffect, useRef } from 'react';
import { Button } from '../../../ui/forms/button.tsx';

/** Beside the chart's pickers while it shows a saved prediction. */
export function BackToLive({ onClick }: { onClick: () => void }) {
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The keyboard and the view follow a click on a card; an address that was opened leaves both where they are.
    const focused = document.activeElement;
    // A card that its tab hides, or whose page ended, has left the focus to the page's main part.
    if (focused?.id !== 'main' && focused?.closest('article') == null) return;
    ref.current?.focus({ preventScroll: true });
    ref.current?.closest('section')?.scrollIntoView({ block: 'start' });
  }, []);
  return (
    <Button ref={ref} size="small" icon={<ArrowLeft size={15} aria-hidden="true" />} onClick={onClick}>
      Back to live
    </Button>
  );
}

import { type RefObject, useEffect, useRef } from 'react';

export type DismissReason = 'outside' | 'escape';

/** Listens only while `isOpen`. Only the innermost open element handles Escape. */
export function useDismiss(
  root: RefObject<HTMLElement | null>,
  isOpen: boolean,
  onDismiss: (reason: DismissReason) => void,
): void {
  const latest = useRef(onDismiss);
  useEffect(() => {
    latest.current = onDismiss;
  });
  useEffect(() => {
    const element = root.current;
    if (!isOpen || element === null) return;
    const leave = (event: Event) => {
      if (event.target instanceof Node && !element.contains(event.target)) latest.current('outside');
    };
    const onEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      latest.current('escape');
    };
    document.addEventListener('pointerdown', leave, true);
    document.addEventListener('focusin', leave);
    element.addEventListener('keydown', onEscape);
    return () => {
      document.removeEventListener('pointerdown', leave, true);
      document.removeEventListener('focusin', leave);
      element.removeEventListener('keydown', onEscape);
    };
  }, [isOpen, root]);
}

import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useDismiss } from '../../ui/overlay/use-dismiss.ts';

export interface Disclosure<Root extends HTMLElement> {
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  /** Contains the button and what it shows. */
  root: RefObject<Root | null>;
  /** Gets the focus back on Escape. */
  button: RefObject<HTMLButtonElement | null>;
  /** Of what the button shows. */
  id: string;
}

/** A button that shows links: Escape, a click elsewhere and any followed link hide them again. */
export function useDisclosure<Root extends HTMLElement>(): Disclosure<Root> {
  const { key } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const root = useRef<Root>(null);
  const button = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: any followed link hides them, one to the same page too
  useEffect(() => setOpen(false), [key]);
  useDismiss(root, isOpen, (reason) => {
    setOpen(false);
    if (reason === 'escape') button.current?.focus();
  });
  return { isOpen, setOpen, root, button, id: useId() };
}

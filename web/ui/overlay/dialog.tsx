/** A question or a form above the page: the browser's own dialog, which holds focus, gives it back, and closes by Escape. */
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from '../forms/button.tsx';
import styles from './dialog.module.css';

export interface DialogProps {
  isOpen: boolean;
  heading: string;
  /** Escape, the cross and a press beside it; the caller closes it. */
  onClose: () => void;
  /** Buttons with verbs on them, the safe one first. */
  actions?: ReactNode;
  /** Has the focus at first; otherwise the cross has it. */
  initialFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

export function Dialog({ isOpen, heading, onClose, actions, initialFocus, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const headingId = useId();
  const wasPressedBeside = useRef(false);
  useEffect(() => {
    const element = dialog.current;
    if (element === null || element.open === isOpen) return;
    if (isOpen) element.showModal();
    else element.close();
    if (isOpen) initialFocus?.current?.focus();
  }, [isOpen, initialFocus]);
  useLayoutEffect(() => {
    const element = dialog.current;
    // Taken away while it is open, it would not give the focus back.
    return () => element?.close();
  }, []);
  if (typeof document === 'undefined') return null;
  // At the page's end: an open dialog that is moved, as when a page of two columns becomes one, is no modal one any more.
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key for what a press beside it does
    <dialog
      ref={dialog}
      aria-labelledby={headingId}
      className={styles.dialog}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        wasPressedBeside.current = event.target === dialog.current;
      }}
      onClick={(event) => {
        // Its own box is filled by the sheet: a press on the element itself is one on the ground around it. What was
        // dragged there from within is none.
        if (event.target === dialog.current && wasPressedBeside.current) onClose();
      }}
    >
      {isOpen && (
        <div>
          <header className={styles.head}>
            <h2 id={headingId}>{heading}</h2>
            <IconButton label="Close" icon={<X size={18} aria-hidden="true" />} onClick={onClose} />
          </header>
          <div className={styles.body}>{children}</div>
          {actions && <footer className={styles.actions}>{actions}</footer>}
        </div>
      )}
    </dialog>,
    document.body,
  );
}

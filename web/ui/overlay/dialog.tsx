/** A question or a form above the page: the native dialog, which traps focus, restores it, and closes by Escape. */
import X from 'lucide-react/icons/x';
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from '../forms/button.tsx';
import { classNames } from '../styles/class-names.ts';
import styles from './dialog.module.css';

export interface DialogProps {
  isOpen: boolean;
  heading: string;
  /** Called by Escape, the close button and a click outside; the caller closes the dialog. */
  onClose: () => void;
  /** Buttons labelled with verbs, the safe one first. */
  actions?: ReactNode;
  /** Near the top of the window and without its head: the heading is the accessible name only. */
  isBare?: boolean;
  /** Gets the focus on opening; otherwise the close button does. */
  initialFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

export function Dialog({ isOpen, heading, onClose, actions, isBare = false, initialFocus, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const headingId = useId();
  const hasStartedOutside = useRef(false);
  useEffect(() => {
    const element = dialog.current;
    if (element === null || element.open === isOpen) return;
    if (isOpen) element.showModal();
    else element.close();
    if (isOpen) initialFocus?.current?.focus();
  }, [isOpen, initialFocus]);
  useLayoutEffect(() => {
    const element = dialog.current;
    // Removed while open, it would not restore the focus.
    return () => element?.close();
  }, []);
  if (typeof document === 'undefined') return null;
  // At the page's end: moving an open dialog, as when two columns become one, would end its modality.
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does what a click outside does
    <dialog
      ref={dialog}
      aria-labelledby={isBare ? undefined : headingId}
      aria-label={isBare ? heading : undefined}
      className={classNames(styles.dialog, isBare && styles.bare)}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        hasStartedOutside.current = event.target === dialog.current;
      }}
      onClick={(event) => {
        // The sheet fills the dialog's box, so the element itself is the backdrop; a drag from inside does not count.
        if (event.target === dialog.current && hasStartedOutside.current) onClose();
      }}
    >
      {isOpen && isBare && <div>{children}</div>}
      {isOpen && !isBare && (
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

/** A modal question on the browser's own dialog element: focus, Escape and the backdrop are the platform's. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './dialog.module.css';

export interface DialogProps {
  isOpen: boolean;
  title: string;
  /** Buttons named by verbs; the safe one first. */
  actions: ReactNode;
  /** Escape, or the backdrop. */
  onClose: () => void;
  children: ReactNode;
}

export function Dialog({ isOpen, title, actions, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!isOpen || element === null) return;
    element.showModal();
    return () => element.close();
  }, [isOpen]);
  if (!isOpen) return null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape arrives as the cancel event
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className={styles.content}>
        <h2 id={titleId}>{title}</h2>
        {children}
        <div className={styles.actions}>{actions}</div>
      </div>
    </dialog>
  );
}

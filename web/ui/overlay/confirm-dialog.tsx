/** Confirms an action that can't be undone; the safe button comes first and has the focus. */
import { type ReactNode, useRef } from 'react';
import { Button } from '../forms/button.tsx';
import { Failure } from '../status/failure.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  isOpen: boolean;
  heading: string;
  /** Label of the button that does it. */
  verb: string;
  /** Label of the safe button. */
  cancelLabel?: string;
  /** The action loses nothing. */
  isHarmless?: boolean;
  isBusy?: boolean;
  failure?: string | null;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, heading, verb, cancelLabel = 'Cancel', isHarmless = false, isBusy = false, failure = null } = props;
  const safe = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      isOpen={isOpen}
      heading={heading}
      onClose={props.onClose}
      initialFocus={safe}
      actions={
        <>
          <Button ref={safe} onClick={props.onClose}>
            {cancelLabel}
          </Button>
          <Button variant={isHarmless ? 'primary' : 'danger'} isBusy={isBusy} onClick={props.onConfirm}>
            {verb}
          </Button>
        </>
      }
    >
      {props.children}
      {failure !== null && <Failure>{failure}</Failure>}
    </Dialog>
  );
}

/** Asks once more before something is done that cannot be taken back: the safe button first, and with the focus. */
import { type ReactNode, useRef } from 'react';
import { Button } from '../forms/button.tsx';
import { Failure } from '../status/failure.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  isOpen: boolean;
  heading: string;
  /** On the button that does it. */
  verb: string;
  /** On the safe one. */
  keep?: string;
  /** Nothing is lost by it. */
  isHarmless?: boolean;
  isBusy?: boolean;
  /** Why it was not done. */
  failure?: string | null;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, heading, verb, keep = 'Cancel', isHarmless = false, isBusy = false, failure = null } = props;
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
            {keep}
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

/** Copies a text and confirms it for 1.6 seconds. */
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useEffect, useRef, useState } from 'react';
import { toast } from '../overlay/toast.ts';
import { Button, IconButton } from './button.tsx';

/** How long the confirmation is shown (R-SITE-11). */
export const COPIED_MS = 1600;
export const COPY_FAILED = 'Copy failed. Please try again.';

export interface CopyButtonProps {
  text: string;
  /** What the text is: 'BTC address' makes the labels 'Copy BTC address' and 'Copied BTC address'. */
  what: string;
  /** Shows only the icon, for narrow places. */
  isIcon?: boolean;
  /** In place of a toast, which a modal dialog covers. */
  onFailed?: () => void;
  className?: string | undefined;
}

export function CopyButton({ text, what, isIcon = false, onFailed, className }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const copy = async () => {
    window.clearTimeout(timer.current);
    setCopied(false);
    try {
      // Missing on pages without HTTPS, and refused if the user denies permission.
      await navigator.clipboard.writeText(text);
    } catch {
      if (onFailed === undefined) toast.error(COPY_FAILED);
      else onFailed();
      return;
    }
    setCopied(true);
    timer.current = window.setTimeout(() => setCopied(false), COPIED_MS);
  };

  const icon = isCopied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />;
  const label = `${isCopied ? 'Copied' : 'Copy'} ${what}`;
  return (
    <>
      {isIcon ? (
        <IconButton label={label} icon={icon} className={className} onClick={() => void copy()} />
      ) : (
        <Button size="small" aria-label={label} icon={icon} className={className} onClick={() => void copy()}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      )}
      <span className="visually-hidden" role="status">
        {isCopied ? label : ''}
      </span>
    </>
  );
}

/** Our own markup: the library's component injects a style element, which the content-security policy refuses. */

import CircleCheck from 'lucide-react/icons/circle-check';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { resolveValue, type Toast, useToaster } from 'react-hot-toast/headless';
import { Spinner } from '../status/loader.tsx';
import { classNames } from '../styles/class-names.ts';
import { keepClear } from './clear-place.ts';
import { QUIET, TOAST_OPTIONS } from './toast.ts';
import styles from './toaster.module.css';

export function Toaster() {
  const { toasts, handlers } = useToaster(TOAST_OPTIONS);
  const region = useRef<HTMLDivElement>(null);
  const held = useRef({ isHovered: false, isFocused: false });
  const hold = (change: Partial<typeof held.current>) => {
    const before = held.current;
    const now = { ...before, ...change };
    held.current = now;
    const [wasHeld, isHeld] = [before.isHovered || before.isFocused, now.isHovered || now.isFocused];
    if (isHeld && !wasHeld) handlers.startPause();
    if (!isHeld && wasHeld) handlers.endPause();
  };
  // A removed toast fires no leave or blur event for the pointer or focus inside it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever a toast appears or disappears
  useEffect(() => {
    const isFocused = region.current?.contains(document.activeElement) === true;
    hold(toasts.length === 0 ? { isHovered: false, isFocused } : { isFocused });
  }, [toasts.length]);
  const areQuiet = toasts.every(isQuiet);
  useLayoutEffect(
    () => (region.current === null || toasts.length === 0 ? undefined : keepClear(region.current, areQuiet)),
    [toasts.length, areQuiet],
  );
  return (
    // Pausing on hover and focus gives slow readers time; the toasts' own roles announce them.
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only pauses, nothing is activated here
    <div
      ref={region}
      className={styles.region}
      onMouseEnter={() => hold({ isHovered: true })}
      onMouseLeave={() => hold({ isHovered: false })}
      onFocus={() => hold({ isFocused: true })}
      onBlur={() => hold({ isFocused: false })}
    >
      {toasts.map((toast) => (
        <div
          key={toast.id}
          {...toast.ariaProps}
          className={classNames(
            styles.toast,
            styles[toast.type],
            isQuiet(toast) && styles.quiet,
            !toast.visible && styles.leaving,
          )}
        >
          <ToastIcon type={toast.type} />
          <div>{resolveValue(toast.message, toast)}</div>
        </div>
      ))}
    </div>
  );
}

const isQuiet = ({ className }: Toast): boolean => className === QUIET;

function ToastIcon({ type }: { type: Toast['type'] }) {
  if (type === 'loading') return <Spinner />;
  if (type === 'success') return <CircleCheck size={18} aria-hidden="true" />;
  if (type === 'error') return <CircleAlert size={18} aria-hidden="true" />;
  return null;
}

/**
 * Draws the toasts with our own markup. The library's own component injects a style element, which the
 * content-security policy refuses; its headless core keeps the queue (at most 20) and the times.
 */
import { CircleAlert, CircleCheck } from 'lucide-react';
import { resolveValue, type Toast, useToaster } from 'react-hot-toast/headless';
import { classNames } from './class-names.ts';
import { Spinner } from './loader.tsx';
import { TOAST_OPTIONS } from './toast.ts';
import styles from './toaster.module.css';

export function Toaster() {
  const { toasts, handlers } = useToaster(TOAST_OPTIONS);
  return (
    // Pausing on hover gives slow readers time; the toasts themselves are announced by their own roles.
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only pauses, nothing is activated here
    <div
      className={styles.region}
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      onFocus={handlers.startPause}
      onBlur={handlers.endPause}
    >
      {toasts.map((toast) => (
        <div
          key={toast.id}
          {...toast.ariaProps}
          className={classNames(styles.toast, styles[toast.type], !toast.visible && styles.leaving)}
        >
          <ToastIcon type={toast.type} />
          {resolveValue(toast.message, toast)}
        </div>
      ))}
    </div>
  );
}

function ToastIcon({ type }: { type: Toast['type'] }) {
  if (type === 'loading') return <Spinner />;
  if (type === 'success') return <CircleCheck size={18} aria-hidden="true" />;
  if (type === 'error') return <CircleAlert size={18} aria-hidden="true" />;
  return null;
}

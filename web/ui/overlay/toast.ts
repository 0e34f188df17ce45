/** Short messages at the bottom right, drawn by toaster.tsx. */
import type { ReactElement } from 'react';
import { type DefaultToastOptions, toast as headless, type ToastOptions } from 'react-hot-toast/headless';
import { reportShown } from '../status/reported-failure.tsx';

/** How long toasts stay (R-SITE-8); loading toasts stay until they are replaced. */
export const TOAST_MS = 2000;

/** For a toast with a link, which takes time to read and reach. Hover and focus pause it (toaster.tsx). */
export const LASTING_MS = 12_000;

/** Slightly longer than the fade-out (toaster.module.css); then the toast is removed. */
export const LEAVING_MS = 150;

/** Per type, because one duration for all would also end loading toasts. */
export const TOAST_OPTIONS: DefaultToastOptions = {
  blank: { duration: TOAST_MS },
  success: { duration: TOAST_MS },
  error: { duration: TOAST_MS },
  custom: { duration: TOAST_MS },
  loading: { duration: Number.POSITIVE_INFINITY },
};

interface Options {
  /** The id of a toast to replace, as `toast.loading` returned it. */
  id?: string;
  /** Reports something that the user did not do: small, and never over content where there is room. */
  isQuiet?: boolean;
}

/** Marks quiet toasts for toaster.tsx, in an option that the library passes on. */
export const QUIET = 'quiet';

/** Each returns the toast's id. All but `lasting` take text only, so that it can be announced. */
export const toast = {
  show: (text: string, options: Options = {}) => headless(text, timed('blank', options)),
  success: (text: string, options: Options = {}) => headless.success(text, timed('success', options)),
  /** Also goes to the error log. */
  error: (text: string, options: Options = {}) => {
    reportShown(text);
    return headless.error(text, timed('error', options));
  },
  loading: (text: string, options: Options = {}) => headless.loading(text, timed('loading', options)),
  lasting: (content: ReactElement, { id }: { id: string }) =>
    headless(content, { id, duration: LASTING_MS, removeDelay: LEAVING_MS }),
  dismiss: (id?: string) => headless.dismiss(id),
};

/** Sets the duration on each call: replacing a loading toast would otherwise keep its infinite duration. */
function timed(type: 'blank' | 'success' | 'error' | 'loading', options: Options): ToastOptions {
  const duration = type === 'loading' ? Number.POSITIVE_INFINITY : TOAST_MS;
  const shared = { duration, removeDelay: LEAVING_MS, className: options.isQuiet ? QUIET : '' };
  return options.id === undefined ? shared : { ...shared, id: options.id };
}

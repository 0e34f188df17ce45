/** Short messages at the bottom right. Times are the specification's; drawn by toaster.tsx. */
import type { ReactElement } from 'react';
import { type DefaultToastOptions, toast as headless, type ToastOptions } from 'react-hot-toast/headless';
import { reportShown } from '../status/reported-failure.tsx';

/** App toasts stay this long; loading toasts stay until they are replaced. READINGS 6. */
export const TOAST_MS = 2000;

/** What links on lets itself be read and reached; hovering and focus stop the clock (toaster.tsx). */
export const LASTING_MS = 12_000;

/** A little more than the time of its fading (toaster.module.css); then it leaves the page. */
export const LEAVING_MS = 150;

/** By type, because one duration for all would also end loading toasts. */
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
}

/** Each returns the toast's id. Texts only, but for what lasts: what is said can be read out. */
export const toast = {
  show: (text: string, options: Options = {}) => headless(text, timed('blank', options)),
  success: (text: string, options: Options = {}) => headless.success(text, timed('success', options)),
  /** Also goes to the error log. */
  error: (text: string, options: Options = {}) => {
    reportShown(text);
    return headless.error(text, timed('error', options));
  },
  loading: (text: string, options: Options = {}) => headless.loading(text, timed('loading', options)),
  lasting: (content: ReactElement, { id }: Required<Options>) =>
    headless(content, { id, duration: LASTING_MS, removeDelay: LEAVING_MS }),
  dismiss: (id?: string) => headless.dismiss(id),
};

/** The duration is given with each call: a loading toast that is replaced would keep its endless one. */
function timed(type: 'blank' | 'success' | 'error' | 'loading', options: Options): ToastOptions {
  const duration = type === 'loading' ? Number.POSITIVE_INFINITY : TOAST_MS;
  const shared = { duration, removeDelay: LEAVING_MS };
  return options.id === undefined ? shared : { ...shared, id: options.id };
}

/** Draws every alert and reports every error toast, so that every failure a user reads goes to the error log. */
import { createElement, type ReactNode, useEffect, useRef } from 'react';
import { pageState } from '../../page-state.ts';

const page = pageState(() => ({ report: (_text: string): void => undefined }));

/** Called once by the app, which owns the error log. */
export function onFailureShown(report: (text: string) => void): void {
  page().report = report;
}

export function reportShown(text: string): void {
  page().report(text);
}

export interface ReportedFailureProps {
  as?: 'p' | 'div' | 'span';
  /** How it is announced. alert interrupts; status waits its turn; null inherits from its surroundings. */
  spokenAs?: 'alert' | 'status' | null;
  className?: string | undefined;
  children: ReactNode;
}

/** Reports its text when it appears or changes, without the text of its buttons and of links with `data-action`. */
export function ReportedFailure({ as = 'p', spokenAs = 'alert', className, children }: ReportedFailureProps) {
  const element = useRef<HTMLElement>(null);
  const reported = useRef('');
  useEffect(() => {
    const text = textIn(element.current);
    if (text === reported.current) return;
    reported.current = text;
    if (text !== '') reportShown(text);
  });
  return createElement(as, { ref: element, role: spokenAs ?? undefined, className }, children);
}

/** The text of each element is a separate part: a title, what still works. */
function textIn(element: Element | null): string {
  const parts = [''];
  for (const child of element?.childNodes ?? []) {
    if (child instanceof Text) parts.push((parts.pop() ?? '') + child.data);
    else if (child instanceof Element && !child.matches('button, [data-action]')) parts.push(textIn(child), '');
  }
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' · ');
}

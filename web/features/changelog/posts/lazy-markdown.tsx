/** Formatting comes in a chunk of its own, beside the posts; without it they are shown as they were written. */
import { type ComponentType, lazy } from 'react';
import { reportError } from '../../../platform/error-log.ts';
import type { MarkdownProps } from './markdown.tsx';
import { PlainWords } from './plain-words.tsx';

let code: Promise<{ default: ComponentType<MarkdownProps> }> | null = null;

/** Fetches it, once; whoever waits for posts calls this meanwhile. Never rejects. */
export function loadMarkdown(): Promise<{ default: ComponentType<MarkdownProps> }> {
  code ??= import('./markdown.tsx').then(
    ({ Markdown: Formatted }) => ({ default: Formatted }),
    (error: unknown) => {
      reportError(error, { where: 'changelog formatting' });
      return { default: PlainWords };
    },
  );
  return code;
}

export const Markdown = lazy(loadMarkdown);

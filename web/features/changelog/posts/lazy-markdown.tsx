/** Markdown formatting as a separate chunk, loaded with the posts; without it, posts show as plain text. */
import { type ComponentType, lazy } from 'react';
import { reportError } from '../../../platform/error-log.ts';
import type { MarkdownProps } from './markdown.tsx';
import { PlainText } from './plain-text.tsx';

let code: Promise<{ default: ComponentType<MarkdownProps> }> | null = null;

/** Loads the chunk once; call it while posts load. Never rejects. */
export function loadMarkdown(): Promise<{ default: ComponentType<MarkdownProps> }> {
  code ??= import('./markdown.tsx').then(
    ({ Markdown: Formatted }) => ({ default: Formatted }),
    (error: unknown) => {
      reportError(error, { where: 'changelog formatting' });
      return { default: PlainText };
    },
  );
  return code;
}

export const Markdown = lazy(loadMarkdown);

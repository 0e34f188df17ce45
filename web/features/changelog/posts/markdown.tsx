/** A post's words, formatted: Markdown without HTML and pictures, cleaned again after it was read. */
import { type ComponentProps, memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import { Link } from 'react-router';
import rehypeSanitize from 'rehype-sanitize';
import { isCostlyMarkdown } from '#domain/community/markdown-limits.ts';
import { findRoute } from '#domain/site/routes.ts';
import { ExternalLink } from '../../../ui/layout/external-link.tsx';
import styles from './markdown.module.css';
import { plainParts } from './plain-parts.ts';
import { PlainWords } from './plain-words.tsx';

/** Everything else is taken out, with its attributes; of addresses, those that begin otherwise. */
const CLEAN = {
  tagNames: [
    ...['p', 'br', 'hr', 'strong', 'em', 'code', 'pre', 'blockquote', 'a'],
    ...['ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ],
  attributes: { a: ['href', 'title'], ol: ['start'] },
  protocols: { href: ['http', 'https', 'mailto'] },
  strip: ['script', 'style'],
};
const LINKED = new Set(['http:', 'https:', 'mailto:']);

/** The page has its h1, each post its h2. */
const COMPONENTS: Components = {
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  h6: ({ children }) => <h6>{children}</h6>,
  a: ({ href, children }) => <PostLink href={href}>{children}</PostLink>,
  // Wider than the page, it is moved through by key too.
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <pre tabIndex={0}>{children}</pre>
  ),
};

/** What reading it would take too long for is shown as it was written. */
export const Markdown = memo(function Markdown({ content }: { content: string }) {
  if (isCostlyMarkdown(content)) return <PlainWords content={content} />;
  return (
    <div dir="auto" className={styles.words}>
      <ReactMarkdown
        remarkPlugins={[plainParts]}
        rehypePlugins={[[rehypeSanitize, CLEAN]]}
        urlTransform={(address) => safeAddress(address)}
        components={COMPONENTS}
      >
        {content}
      </ReactMarkdown>
    </div>
  );
});

export type MarkdownProps = ComponentProps<typeof Markdown>;

/** As the browser itself would read the address: what it takes for another protocol is none of ours. */
function safeAddress(address: string): string {
  return LINKED.has(URL.parse(address, window.location.href)?.protocol ?? '') ? address : '';
}

function PostLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  const url = href ? URL.parse(href, window.location.href) : null;
  if (url === null) return <span>{children}</span>;
  const isHere = url.origin === window.location.origin;
  if (isHere && findRoute(url.pathname) !== null) return <Link to={pathOf(url)}>{children}</Link>;
  // A file of ours, such as the feed, is no page of the app.
  if (isHere || url.protocol === 'mailto:') return <a href={isHere ? pathOf(url) : url.href}>{children}</a>;
  return <ExternalLink href={url.href}>{children}</ExternalLink>;
}

function pathOf({ pathname, search, hash }: URL): string {
  return pathname + search + hash;
}

/** A post's formatted text: Markdown without HTML and pictures, sanitized after parsing. */
import { type ComponentProps, memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import { Link } from 'react-router';
import rehypeSanitize from 'rehype-sanitize';
import { isCostlyMarkdown } from '#domain/community/markdown-limits.ts';
import { findRoute } from '#domain/site/routes.ts';
import { ExternalLink } from '../../../ui/layout/external-link.tsx';
import styles from './markdown.module.css';
import { plainParts } from './plain-parts.ts';
import { PlainText } from './plain-text.tsx';

/** Removes all other elements and attributes, and URLs with other protocols. */
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

/** The page has the h1, each post an h2. */
const COMPONENTS: Components = {
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  h6: ({ children }) => <h6>{children}</h6>,
  a: ({ href, children }) => <PostLink href={href}>{children}</PostLink>,
  // A block wider than the page must scroll by keyboard too.
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <pre tabIndex={0}>{children}</pre>
  ),
};

/** Shows the source when parsing it would take too long. */
export const Markdown = memo(function Markdown({ content }: { content: string }) {
  if (isCostlyMarkdown(content)) return <PlainText content={content} />;
  return (
    <div dir="auto" className={styles.text}>
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

/** Parses the URL like the browser does, and rejects what it would read as another protocol. */
function safeAddress(address: string): string {
  return LINKED.has(URL.parse(address, window.location.href)?.protocol ?? '') ? address : '';
}

function PostLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  const url = href ? URL.parse(href, window.location.href) : null;
  if (url === null) return <span>{children}</span>;
  const isHere = url.origin === window.location.origin;
  if (isHere && findRoute(url.pathname) !== null) return <Link to={pathOf(url)}>{children}</Link>;
  // A file on this site, such as the feed, is not a page of the app.
  if (isHere || url.protocol === 'mailto:') return <a href={isHere ? pathOf(url) : url.href}>{children}</a>;
  return <ExternalLink href={url.href}>{children}</ExternalLink>;
}

function pathOf({ pathname, search, hash }: URL): string {
  return pathname + search + hash;
}

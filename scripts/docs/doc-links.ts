/** Links and headings of Markdown pages, read with a parser, so that code and examples are left alone. */
import { dirname, posix } from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';

export interface DocLink {
  /** As written. */
  url: string;
  isImage: boolean;
  /** Offsets of the whole link in the page. */
  start: number;
  end: number;
  line: number;
}

interface Point {
  offset?: number | undefined;
  line: number;
}

/** The nodes of the parsed page that matter here. */
interface Node {
  type: string;
  url?: string | undefined;
  value?: string | undefined;
  /** Of a heading, from 1. */
  depth?: number | undefined;
  children?: readonly Node[] | undefined;
  position?: { start: Point; end: Point } | undefined;
}

export function linksOf(markdown: string): DocLink[] {
  return nodesOf(fromMarkdown(markdown)).flatMap(({ type, url, position }) => {
    if ((type !== 'link' && type !== 'image' && type !== 'definition') || url === undefined) return [];
    const { start, end } = position ?? {};
    if (start?.offset === undefined || end?.offset === undefined) return [];
    return [{ url, isImage: type === 'image', start: start.offset, end: end.offset, line: start.line }];
  });
}

/** Names a place that has no heading. */
const PLACE = /<a id="([\w-]+)"><\/a>/g;

/** The anchors of a page's headings, as GitHub makes them, and of its named places. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set([...markdown.matchAll(PLACE)].map(([, id = '']) => id));
  for (const node of nodesOf(fromMarkdown(markdown))) {
    if (node.type !== 'heading') continue;
    const plain = slug(textOf(node));
    let anchor = plain;
    for (let n = 1; anchors.has(anchor); n += 1) anchor = `${plain}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Headings more than one level below the heading before them, as written; a screen reader's outline has a gap there. */
export function skippedHeadings(markdown: string): string[] {
  let previous = 0;
  return nodesOf(fromMarkdown(markdown)).flatMap((node) => {
    if (node.type !== 'heading') return [];
    const { depth = 1 } = node;
    const isSkip = depth > previous + 1;
    previous = depth;
    return isSkip ? [`${'#'.repeat(depth)} ${textOf(node)}`] : [];
  });
}

/** GitHub's rule, which the site follows too, so that a link with an anchor works in both. */
export function slug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** @returns the repository path and the anchor that a link of `file` leads to; null for an outside address */
export function targetOf(url: string, file: string): { file: string; anchor: string } | null {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(url)) return null;
  const [path = '', anchor = ''] = url.split('#', 2);
  const target = path === '' ? file : posix.normalize(posix.join(dirname(file), decodeURIComponent(path)));
  return { file: target.replace(/\/$/, ''), anchor };
}

/**
 * @param addressOf  of a link's target on the site; null for a file that the site does not have, whose link becomes
 *   plain text
 */
export function withSiteLinks(
  markdown: string,
  file: string,
  addressOf: (target: { file: string; anchor: string }, link: DocLink) => string | null,
): string {
  let text = markdown;
  for (const link of linksOf(markdown).toReversed()) {
    const target = targetOf(link.url, file);
    if (target === null) continue;
    const address = addressOf(target, link);
    const whole = markdown.slice(link.start, link.end);
    const words = /^!?\[(.*)\]\([^)]*\)$/s.exec(whole)?.[1];
    const replaced = address === null ? (words ?? whole) : replaceLast(whole, link.url, address);
    text = text.slice(0, link.start) + replaced + text.slice(link.end);
  }
  return text;
}

function replaceLast(text: string, part: string, by: string): string {
  const at = text.lastIndexOf(part);
  return at === -1 ? text : text.slice(0, at) + by + text.slice(at + part.length);
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.children ?? []).flatMap(nodesOf)];
}

function textOf(node: Node): string {
  return node.value ?? (node.children ?? []).map(textOf).join('');
}

/**
 * A step of reading Markdown: what must not take effect becomes words. HTML is shown as it was written, a picture by its
 * description (the site loads none from elsewhere), and what nests too deep as its source.
 */

/** What is used of a node of the tree that the library builds. */
export interface MarkdownNode {
  type: string;
  value?: string;
  alt?: string | null;
  children?: MarkdownNode[];
  position?: { start: { offset?: number }; end: { offset?: number } };
}

/** No post needs more; browsers and readers of screens cope with it. */
const MAX_DEPTH = 24;

/** For the library's list of plugins: changes the tree in place. Without recursion, whatever the depth. */
export function plainParts() {
  return (root: MarkdownNode, file: { value: unknown }): void => {
    const source = String(file.value);
    const waiting: [node: MarkdownNode, depth: number][] = [[root, 0]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [node, depth] = next;
      if (node.children === undefined) continue;
      if (depth >= MAX_DEPTH) node.children = [text(sourceOf(node, source))];
      node.children = node.children.map((child) => plain(child, isFlow(node)));
      for (const child of node.children) waiting.push([child, depth + 1]);
    }
  };
}

function plain(node: MarkdownNode, isInFlow: boolean): MarkdownNode {
  if (node.type === 'html') {
    const words = text(node.value ?? '');
    return isInFlow ? { type: 'paragraph', children: [words] } : words;
  }
  if (node.type === 'image' || node.type === 'imageReference')
    return text(`[Picture: ${node.alt || 'no description'}]`);
  return node;
}

function isFlow({ type }: MarkdownNode): boolean {
  return type === 'root' || type === 'blockquote' || type === 'listItem';
}

function sourceOf({ position }: MarkdownNode, source: string): string {
  return source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
}

function text(value: string): MarkdownNode {
  return { type: 'text', value };
}

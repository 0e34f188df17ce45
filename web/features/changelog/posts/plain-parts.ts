/**
 * A step of reading Markdown: what must not take effect becomes words. HTML is shown as it was written, a picture by its
 * description (the site loads none from elsewhere), and what nests too deep as its source. Headings begin at the first level
 * and leave none out, whatever their author began with.
 */

/** What is used of a node of the tree that the library builds. */
export interface MarkdownNode {
  type: string;
  value?: string;
  alt?: string | null;
  /** Of a heading, from 1. */
  depth?: number;
  children?: MarkdownNode[];
  position?: { start: { offset?: number }; end: { offset?: number } };
}

/** No post needs more; browsers and readers of screens cope with it. */
const MAX_DEPTH = 24;

/** For the library's list of plugins: changes the tree in place. Without recursion, whatever the depth. */
export function plainParts() {
  return (root: MarkdownNode, file: { value: unknown }): void => {
    const source = String(file.value);
    const outer: number[] = [];
    const waiting: [node: MarkdownNode, depth: number][] = [[root, 0]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [node, depth] = next;
      if (node.depth !== undefined) node.depth = levelBelow(outer, node.depth);
      if (node.children === undefined) continue;
      if (depth >= MAX_DEPTH) node.children = [text(sourceOf(node, source))];
      node.children = node.children.map((child) => plain(child, isFlow(node)));
      // The first one is taken next: headings are met in their order.
      for (const child of node.children.toReversed()) waiting.push([child, depth + 1]);
    }
  };
}

/** @param outer  depths of the headings that this one stands below, and afterwards its own. @returns its level */
function levelBelow(outer: number[], depth: number): number {
  while (outer.length > 0 && (outer.at(-1) ?? 0) >= depth) outer.pop();
  return outer.push(depth);
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

/**
 * HTML shows as source, a picture as its description (the site loads none from elsewhere), too deep nesting as source.
 * Heading levels start at one and skip none, whatever the author started with.
 */

/** The fields we use of a node of the library's tree. */
export interface MarkdownNode {
  type: string;
  value?: string;
  alt?: string | null;
  depth?: number;
  children?: MarkdownNode[];
  position?: { start: { offset?: number }; end: { offset?: number } };
}

/** No post needs more levels; browsers and screen readers can handle this depth. */
const MAX_DEPTH = 24;

/** A plugin for the library: changes the tree in place, without recursion, so any depth is safe. */
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
      // Reversed, so that the first child is next and headings are visited in order.
      for (const child of node.children.toReversed()) waiting.push([child, depth + 1]);
    }
  };
}

/** @param outer  levels of the headings above this one; gains this one's. @returns its new level */
function levelBelow(outer: number[], depth: number): number {
  while (outer.length > 0 && (outer.at(-1) ?? 0) >= depth) outer.pop();
  return outer.push(depth);
}

function plain(node: MarkdownNode, isInFlow: boolean): MarkdownNode {
  if (node.type === 'html') {
    const textNode = text(node.value ?? '');
    return isInFlow ? { type: 'paragraph', children: [textNode] } : textNode;
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

/** Boxes, arrows and words of a diagram. Its classes take the page's colours; alone it brings its own. */

export interface DiagramBox {
  x: number;
  y: number;
  width: number;
  title: string;
  lines: readonly string[];
  kind?: 'plain' | 'strong' | 'ground';
}

export interface Arrow {
  points: readonly (readonly [x: number, y: number])[];
  label?: string;
  /** Where the label is; default: beside the middle of the first line. */
  labelAt?: readonly [x: number, y: number];
  kind?: 'plain' | 'border';
}

const LINE = 16;
const PADDING = 10;

export function heightOf({ lines }: Pick<DiagramBox, 'lines'>): number {
  return 2 * PADDING + 16 + lines.length * LINE;
}

/** Used where no page's style sheet reaches: as a picture on its own. */
const OWN_STYLE = [
  'svg{background:#fff}text{font:12px ui-monospace,monospace;fill:#12161b}.d-title{font:600 13px system-ui,sans-serif}',
  '.d-note,.d-lane{font:12px system-ui,sans-serif}.d-file,.d-note,.d-lane{fill:#566170}',
  '.d-box{fill:#f6f7f9;stroke:#c5ccd4}.d-strong{fill:#fdf3dc;stroke:#c47a00}.d-ground{fill:none;stroke:#c5ccd4;stroke-dasharray:4 4}',
  '.d-arrow{fill:none;stroke:#566170}.d-border{fill:none;stroke:#c47a00;stroke-dasharray:4 3}.d-head{fill:#566170}.d-border-head{fill:#c47a00}',
].join('');

export function svg(title: string, width: number, height: number, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${OWN_STYLE}</style>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

export function box(one: DiagramBox): string {
  const { x, y, width, title, lines, kind = 'plain' } = one;
  const shape = { plain: 'd-box', strong: 'd-box d-strong', ground: 'd-box d-ground' }[kind];
  return [
    `<rect class="${shape}" x="${x}" y="${y}" width="${width}" height="${heightOf(one)}" rx="6"/>`,
    words(x + PADDING, y + PADDING + 12, title, 'd-title'),
    ...lines.map((line, index) => words(x + PADDING, y + PADDING + 12 + (index + 1) * LINE, line, 'd-file')),
  ].join('\n');
}

export function words(x: number, y: number, text: string, style: string, anchor = 'start'): string {
  const place = anchor === 'start' ? '' : ` text-anchor="${anchor}"`;
  return `<text class="${style}" x="${x}" y="${y}"${place}>${escapeXml(text)}</text>`;
}

export function arrow({ points, label, labelAt, kind = 'plain' }: Arrow): string {
  const [[x1, y1] = [0, 0], [x2, y2] = [0, 0]] = points.slice(-2);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [((x2 - x1) / length) * 7, ((y2 - y1) / length) * 7];
  const head = `${x2},${y2} ${x2 - dx - dy / 2},${y2 - dy + dx / 2} ${x2 - dx + dy / 2},${y2 - dy - dx / 2}`;
  const [[fx, fy] = [0, 0], [tx, ty] = [0, 0]] = points;
  const [lx, ly] = labelAt ?? [(fx + tx) / 2 + 6, (fy + ty) / 2 + 4];
  return [
    `<polyline class="${kind === 'border' ? 'd-border' : 'd-arrow'}" points="${points.map((point) => point.join(',')).join(' ')}"/>`,
    `<polygon class="${kind === 'border' ? 'd-border-head' : 'd-head'}" points="${head}"/>`,
    ...(label === undefined ? [] : [words(lx, ly, label, 'd-note')]),
  ].join('\n');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The diagrams of docs/architecture.md, drawn from the imports in the sources and from the ways on that page. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readWays, type Way, type WayStep } from '../checks/house-ways.ts';
import { type Arrow, arrow, box, type DiagramBox, heightOf, svg, words } from './diagram-svg.ts';
import { type ImportCount, importCounts, layersOf } from './import-counts.ts';

/** Folder of the drawn files, from the repository's folder. */
export const DIAGRAMS = 'docs/pictures/diagrams';

export interface Diagram {
  name: string;
  svg: string;
}

/** @param root  the repository's folder */
export function drawDiagrams(root: string): Diagram[] {
  const ways = readWays(readFileSync(join(root, 'docs/architecture.md'), 'utf8'));
  const way = (start: string) => {
    const found = ways.find(({ title }) => title.startsWith(start));
    if (found === undefined) throw new Error(`docs/architecture.md has no way ${start}.`);
    return found;
  };
  return [
    { name: 'roofs', svg: roofs(root) },
    { name: 'server', svg: layers(root, 'server') },
    { name: 'web', svg: layers(root, 'web') },
    { name: 'prediction', svg: path(way('Prediction')) },
    { name: 'payment-event', svg: path(way('Payment event')) },
    { name: 'order-book-update', svg: path(way('Order-book update')) },
  ];
}

const ROOFS: Readonly<Record<string, readonly string[]>> = {
  scripts: ['commands; start.ts', 'runs server and', 'sandbox together'],
  web: ['the React app,', 'in the browser'],
  server: ['one Node process'],
  sandbox: ['services for offline', 'use and for tests'],
  domain: ['the rules: pure functions and types, shared by all'],
};

/** Imports between roofs; web, server and sandbox must have none among each other. */
export function roofImports(root: string): ImportCount[] {
  return importCounts(root, Object.keys(ROOFS), (file) => {
    const [roof = ''] = file.split('/');
    return roof in ROOFS ? roof : null;
  });
}

function roofs(root: string): string {
  const places: Readonly<Record<string, Pick<DiagramBox, 'x' | 'y' | 'width'>>> = {
    scripts: { x: 250, y: 20, width: 170 },
    web: { x: 20, y: 190, width: 170 },
    server: { x: 250, y: 190, width: 170 },
    sandbox: { x: 480, y: 190, width: 190 },
    domain: { x: 20, y: 340, width: 680 },
  };
  const boxes = Object.entries(ROOFS).map(([title, lines]) => {
    const { x, y, width } = places[title] ?? { x: 0, y: 0, width: 0 };
    return {
      x,
      y,
      width,
      title: `${title}/`,
      lines,
      kind: title === 'domain' ? ('strong' as const) : 'plain',
    } as DiagramBox;
  });
  const at = (name: string) => boxes.find(({ title }) => title === `${name}/`) ?? { x: 0, y: 0, width: 0, lines: [] };
  const arrows = roofImports(root).map(({ from, to }): Arrow => {
    const [a, b] = [at(from), at(to)];
    const bottom = a.y + heightOf(a);
    if (from === 'scripts' && to === 'domain') {
      const x = b.x + b.width - 10;
      const y = a.y + 30;
      return {
        points: [
          [a.x + a.width, y],
          [x, y],
          [x, b.y],
        ],
      };
    }
    const x = to === 'domain' ? a.x + a.width / 2 : b.x + b.width / 2;
    if (from === 'scripts' && to !== 'server') {
      const y = bottom + 25;
      const start = to === 'web' ? a.x + 40 : a.x + a.width - 40;
      return {
        points: [
          [start, bottom],
          [start, y],
          [x, y],
          [x, b.y],
        ],
      };
    }
    return {
      points: [
        [x, bottom],
        [x, b.y],
      ],
    };
  });
  const meet: Arrow[] = [
    {
      points: [
        [190, 226],
        [250, 226],
      ],
      label: 'HTTP',
      labelAt: [202, 218],
      kind: 'border',
    },
    {
      points: [
        [420, 226],
        [480, 226],
      ],
      label: 'HTTP',
      labelAt: [432, 218],
      kind: 'border',
    },
  ];
  return svg('The roofs of the code and what each imports', 720, 430, [
    ...boxes.map(box),
    ...[...arrows, ...meet].map(arrow),
    words(20, 420, 'Solid: imports. Dashed: a protocol instead of an import.', 'd-note'),
  ]);
}

const WIDTH = 720;
const GAP = 34;

const MOST_IN_LINE = 6;

/** The folders of one roof in layers: each imports only folders below. */
function layers(root: string, roof: string): string {
  const folders = readdirSync(join(root, roof)).filter((name) => statSync(join(root, roof, name)).isDirectory());
  const partOf = (file: string) => {
    const [first, second = ''] = file.split('/');
    return first === roof && folders.includes(second) ? second : null;
  };
  const imports = importCounts(root, [roof], partOf);
  const inUse = folders.filter((name) => imports.some(({ from, to }) => from === name || to === name)).toSorted();
  const rows = layersOf(inUse, imports);
  let y = 20;
  const boxes: DiagramBox[] = [];
  // A layer of many folders has several lines of boxes, so that their names fit.
  const lines = rows.flatMap((row) => {
    const perLine = Math.ceil(row.length / Math.ceil(row.length / MOST_IN_LINE));
    return row.flatMap((_, at) => (at % perLine === 0 ? [row.slice(at, at + perLine)] : []));
  });
  for (const row of lines) {
    const width = (WIDTH - 40 - (row.length - 1) * 12) / row.length;
    const cells = row.map((name, index): DiagramBox => {
      const below = imports.filter(({ from }) => from === name).map(({ to }) => to);
      const lines =
        below.length === 0
          ? ['imports no folder']
          : wrap(`imports ${below.join(', ')}`, Math.floor((width - 20) / 7.4));
      return { x: 20 + index * (width + 12), y, width, title: `${name}/`, lines };
    });
    boxes.push(...cells);
    const isLast = rows.some((layer) => layer.at(-1) === row.at(-1));
    y += Math.max(...cells.map(heightOf)) + (isLast ? GAP : 12);
  }
  const downs = rows.slice(1).map((row): Arrow => {
    const to = boxes.find(({ title }) => title === `${row[0]}/`)?.y ?? 0;
    return {
      points: [
        [WIDTH / 2, to - GAP + 6],
        [WIDTH / 2, to - 4],
      ],
    };
  });
  return svg(`The folders of ${roof}/ in layers: each imports only folders below it`, WIDTH, y - GAP + 20, [
    ...boxes.map(box),
    ...downs.map(arrow),
  ]);
}

function wrap(text: string, most: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + word.length + 1 > most) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

const LANES = [
  { roof: 'web', title: 'Browser: web/' },
  { roof: 'server', title: 'Server: server/' },
  { roof: 'shared', title: 'Shared: domain/, SQL' },
];
const LANE_WIDTH = 236;

interface Stop {
  lane: number;
  folder: string;
  files: string[];
  /** Set if the first step is reached by something other than an import. */
  border: string | null;
}

/** Steps of a way in lanes from top to bottom; neighbours in one folder share a box. */
function path(way: Way): string {
  const stops = stopsOf(way.steps);
  let y = 50;
  const boxes: DiagramBox[] = [];
  const arrows: Arrow[] = [];
  for (const { lane, folder, files, border } of stops) {
    const one: DiagramBox = { x: 4 + lane * (LANE_WIDTH + 2), y, width: LANE_WIDTH - 4, title: folder, lines: files };
    const before = boxes.at(-1);
    if (before !== undefined) arrows.push(between(before, one, border));
    boxes.push(one);
    y += heightOf(one) + GAP;
  }
  const titles = LANES.map(({ title }, index) => words(8 + index * (LANE_WIDTH + 2), 24, title, 'd-lane'));
  return svg(way.title, WIDTH, y - GAP + 16, [...titles, ...boxes.map(box), ...arrows.map(arrow)]);
}

function between(from: DiagramBox, to: DiagramBox, border: string | null): Arrow {
  const bottom = from.y + heightOf(from);
  const label = border === null ? {} : { label: border };
  const kind = border === null ? 'plain' : 'border';
  if (from.x === to.x) {
    const x = from.x + 40;
    return {
      points: [
        [x, bottom],
        [x, to.y],
      ],
      kind,
      ...label,
    };
  }
  const [start, end] = [from.x + from.width / 2, to.x + to.width / 2];
  const middle = bottom + GAP / 2;
  const labelAt = [Math.min(start, end) + 8, middle - 4] as const;
  return {
    points: [
      [start, bottom],
      [start, middle],
      [end, middle],
      [end, to.y],
    ],
    kind,
    ...label,
    labelAt,
  };
}

function stopsOf(steps: readonly WayStep[]): Stop[] {
  const stops: Stop[] = [];
  for (const { file, border } of steps) {
    const parts = file.split('/');
    const name = parts.pop() ?? '';
    const folder = parts.length > 3 ? `${parts[0]}/…/${parts.slice(-2).join('/')}` : parts.join('/');
    const before = stops.at(-1);
    if (before?.folder === `${folder}/` && (border === null || border === 'Passed in')) before.files.push(name);
    else stops.push({ lane: laneOf(parts[0] ?? ''), folder: `${folder}/`, files: [name], border });
  }
  return stops;
}

function laneOf(roof: string): number {
  const lane = LANES.findIndex((one) => one.roof === roof);
  return lane === -1 ? LANES.length - 1 : lane;
}

/** True if the committed file is what would be drawn now. */
export function isCurrent(root: string, { name, svg: drawn }: Diagram): boolean {
  const file = join(root, DIAGRAMS, `${name}.svg`);
  return existsSync(file) && readFileSync(file, 'utf8') === drawn;
}

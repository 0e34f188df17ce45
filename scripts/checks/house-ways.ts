/**
 * The ways through the code in `docs/architecture.md`: the files to open to follow a subject, in order. A test
 * checks that each exists and that no step between two files is left out.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Way {
  title: string;
  steps: readonly WayStep[];
}

export interface WayStep {
  file: string;
  /** The step before reaches this file by a request, a message or a statement, so that no import shows it. */
  isAcrossBorder: boolean;
  /** How it is reached then, such as 'Over HTTP'. */
  border: string | null;
}

const HEADING = /^### (.+)$/;
const ROW = /^\| \d+ \| `([^`]+)` \| (.+) \|$/;
/** A step that begins so is reached over a border. */
const BORDER = /^(Over HTTP|By a message|In SQL|By a mail|Passed in|On the page):/;

/** Reads the document. Rows of a table that do not have the form of a step are an error. */
export function readWays(markdown: string): Way[] {
  const ways: { title: string; steps: WayStep[] }[] = [];
  for (const line of markdown.split('\n')) {
    const heading = HEADING.exec(line);
    if (heading !== null) ways.push({ title: heading[1] ?? '', steps: [] });
    const [, file, text] = ROW.exec(line) ?? [];
    const border = BORDER.exec(text ?? '')?.[1] ?? null;
    if (file !== undefined) ways.at(-1)?.steps.push({ file, isAcrossBorder: border !== null, border });
    else if (/^\| \d/.test(line)) throw new Error(`docs/architecture.md: not a step: ${line}`);
  }
  return ways;
}

/**
 * @param root  folder that the paths are relative to
 * @returns one sentence for each fault: a missing file, a file named twice, a step that no other file of the way
 *   imports, so that a file between them is missing
 */
export function waysFaults(ways: readonly Way[], root: string): string[] {
  return ways.flatMap(({ title, steps }) => {
    const files = steps.map(({ file }) => file);
    const missing = files.filter((file) => !existsSync(join(root, file)));
    if (missing.length > 0) return missing.map((file) => `${title}: ${file} does not exist`);
    const twice = files.filter((file, index) => files.indexOf(file) !== index);
    const imported = new Set(files.flatMap((file) => importsOf(file, root)));
    const alone = steps.slice(1).filter(({ file, isAcrossBorder }) => !isAcrossBorder && !imported.has(file));
    return [
      ...twice.map((file) => `${title}: ${file} is named twice`),
      ...alone.map(({ file }) => `${title}: no other file of the way imports ${file}`),
    ];
  });
}

/** Relative and `#domain` imports of a file, as paths from the root. */
function importsOf(file: string, root: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const specifiers = source.matchAll(/(?:from|import|import\()\s*\(?['"]((?:\.{1,2}|#domain)\/[^'"]+)['"]/g);
  return [...specifiers].map(([, specifier = '']) =>
    specifier.startsWith('#domain/') ? specifier.slice(1) : normalize(join(dirname(file), specifier)),
  );
}

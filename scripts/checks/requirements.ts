/** Reads docs/requirements.md, and finds what in it no longer agrees with the files. */

export interface Requirement {
  /** As comments cite it: `R-PLAN-3`. */
  number: string;
  text: string;
  /** Path of the product file that does it. */
  file: string;
  /** `null`: no test shows it. `title` is a part of the test's title, or of the row that a repeated test names. */
  test: { file: string; title: string } | null;
}

const ROW =
  /^\| (?<number>R-[^ |]*) \| (?<text>.+) \| `(?<file>[^`]+)` \| (?:none|`(?<testFile>[^`]+)` › `(?<title>[^`]+)`) \|$/;
const NUMBER = /^R-(?<subject>[A-Z]+)-(?<count>[1-9]\d*)$/;
const CITATION = /\bR-[A-Z]+-\d+/g;
const TOTAL = /^(?<total>\d+) requirements, (?<untested>\d+) of them without a test\.$/m;
const SHORTEST_TITLE = 6;

/** The rows of every table in the document, in its order. */
export function readRequirements(document: string): Requirement[] {
  return document.split('\n').flatMap((line) => {
    const { number, text, file, testFile, title } = ROW.exec(line)?.groups ?? {};
    if (number === undefined || text === undefined || file === undefined) return [];
    const test = testFile === undefined || title === undefined ? null : { file: testFile, title };
    return [{ number, text, file, test }];
  });
}

/**
 * @param sources  text of every source file, by its path from the repository's root
 * @returns one line for each fault, empty if there is none
 */
export function findFaults(document: string, sources: ReadonlyMap<string, string>): string[] {
  const requirements = readRequirements(document);
  return [
    ...malformedRows(document),
    ...wrongNumbers(requirements),
    ...wrongTotals(document, requirements),
    ...requirements.flatMap((requirement) => missingFiles(requirement, sources)),
    ...unknownCitations(requirements, sources),
  ];
}

function malformedRows(document: string): string[] {
  const rows = document.split('\n').filter((line) => line.startsWith('| R-') && !ROW.test(line));
  return rows.map((row) => `This row does not read | number | requirement | \`file\` | \`test\` › \`title\` |: ${row}`);
}

/** Numbers count from 1 within their subject, and each subject is one run of rows. */
function wrongNumbers(requirements: readonly Requirement[]): string[] {
  const last = new Map<string, number>();
  return requirements.flatMap(({ number }) => {
    const { subject, count } = NUMBER.exec(number)?.groups ?? {};
    if (subject === undefined) return [`${number} isn't the number of a requirement`];
    const expected = (last.get(subject) ?? 0) + 1;
    last.set(subject, expected);
    return Number(count) === expected ? [] : [`${number} is where R-${subject}-${expected} is expected`];
  });
}

function wrongTotals(document: string, requirements: readonly Requirement[]): string[] {
  const untested = requirements.filter(({ test }) => test === null).length;
  const { groups } = TOTAL.exec(document) ?? {};
  if (groups?.total === `${requirements.length}` && groups.untested === `${untested}`) return [];
  const counted = `${requirements.length} requirements, ${untested} of them without a test`;
  const said = groups === undefined ? 'no such count' : `${groups.total} and ${groups.untested}`;
  return [`The count at the head of docs/requirements.md: there are ${counted}; it says ${said}`];
}

function missingFiles({ number, file, test }: Requirement, sources: ReadonlyMap<string, string>): string[] {
  const faults = sources.has(file) ? [] : [`${number}: there is no ${file}`];
  if (test === null) return faults;
  const source = sources.get(test.file);
  if (source === undefined) return [...faults, `${number}: there is no ${test.file}`];
  if (hasTitle(source, test.title)) return faults;
  return [...faults, `${number}: ${test.file} has no test with '${test.title}' in its title`];
}

/** Whether a string of the source, not a comment, contains the title. */
function hasTitle(source: string, title: string): boolean {
  if (title.length < SHORTEST_TITLE) return false;
  return source.split('\n').some((line) => {
    const code = line.trimStart().replaceAll(/\\(?=['"`])/g, '');
    const at = code.indexOf(title);
    return at > 0 && /['"`]/.test(code.slice(0, at)) && !/^(?:\/\/|--|\/?\*)/.test(code);
  });
}

function unknownCitations(requirements: readonly Requirement[], sources: ReadonlyMap<string, string>): string[] {
  const known = new Set(requirements.map(({ number }) => number));
  return [...sources].flatMap(([path, source]) => {
    const unknown = [...new Set(source.match(CITATION))].filter((number) => !known.has(number));
    return unknown.map((number) => `${path} cites ${number}, which docs/requirements.md does not have`);
  });
}

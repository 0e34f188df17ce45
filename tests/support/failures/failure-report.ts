/** The report of a failed browser test: its pages, its servers' logs and how busy the machine was. */
import { describeLoad, type MachineLoad } from './machine-load.ts';

export interface LeftPage {
  address: string;
  /** The visible text; null if the page no longer answers. */
  text: string | null;
  /** Errors of its scripts and its console, oldest first. */
  errors: readonly string[];
  /** The picture's file; null if the browser took none. */
  screenshot: string | null;
}

export interface ServerLog {
  url: string;
  log: string;
}

export interface LeftBehind {
  test: string;
  pages: readonly LeftPage[];
  servers: readonly ServerLog[];
  machine: MachineLoad;
}

const MOST_TEXT = 1500;
const MOST_ERRORS = 10;
const MOST_LINES = 20;

export function describeLeftBehind({ test, pages, servers, machine }: LeftBehind): string {
  return [
    `After the failure of: ${test}`,
    ...pages.flatMap(pageLines),
    ...servers.flatMap(serverLines),
    describeLoad(machine),
  ].join('\n');
}

function pageLines({ address, text, errors, screenshot }: LeftPage): string[] {
  return [
    `page: ${address}`,
    `  screenshot: ${screenshot ?? 'none'}`,
    `  text: ${text === null ? 'the page does not answer' : shortened(text.replaceAll(/\s+/g, ' ').trim())}`,
    ...errors.slice(-MOST_ERRORS).map((error) => `  error: ${error}`),
  ];
}

function serverLines({ url, log }: ServerLog): string[] {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  return [`server: ${url}, its last lines`, ...lines.slice(-MOST_LINES).map((line) => `  ${line}`)];
}

/** The ends say more than the middle: a page's heading, and its last part. */
function shortened(text: string): string {
  if (text.length <= MOST_TEXT) return text;
  return `${text.slice(0, MOST_TEXT / 2)} … ${text.slice(-MOST_TEXT / 2)}`;
}

/** @returns a file's name that says which test it is of */
export function fileNameOf(test: string): string {
  return test
    .replaceAll(/[^\w]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 80);
}

import type { Commands } from './resolve-command.mjs';

/** @param call  what precedes a name: `npm run` @returns a line for each command with its purpose, in columns */
export function commandLines({ alone, groups }: Commands, call: string): string[] {
  const separator = call.endsWith('--') ? ' ' : ' -- ';
  const lines = [
    ...Object.entries(alone).map(([name, { what }]) => [name, what] as const),
    ...Object.entries(groups).flatMap(([group, members]) =>
      Object.entries(members).map(([name, { what }]) => [`${group}${separator}${name}`, what] as const),
    ),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, what]) => `${call} ${name.padEnd(width)}  ${what}`);
}

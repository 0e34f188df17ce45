import { COMMANDS, GROUPS } from './commands.mjs';

const lines = [
  ...Object.entries(COMMANDS).map(([name, { what }]) => [name, what] as const),
  ...Object.entries(GROUPS).flatMap(([group, members]) =>
    Object.entries(members).map(([name, { what }]) => [`${group} -- ${name}`, what] as const),
  ),
];
const width = Math.max(...lines.map(([name]) => name.length));
for (const [name, what] of lines) console.log(`npm run ${name.padEnd(width)}  ${what}`);

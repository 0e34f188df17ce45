/** @typedef {import('./commands.mjs').Command} Command */
/** @typedef {{ alone: Record<string, Command>, groups: Record<string, Record<string, Command>> }} Commands */

/**
 * @param {string | undefined} name  the npm script
 * @param {readonly string[]} args  what was given after it
 * @param {Commands} commands
 * @returns {{ file: string, args: readonly string[] } | { error: string }}  the file relative to the repository
 */
export function resolveCommand(name, args, { alone, groups }) {
  const [first] = args;
  const group = name !== undefined && Object.hasOwn(groups, name) ? groups[name] : undefined;
  const member = group !== undefined && first !== undefined && Object.hasOwn(group, first) ? group[first] : undefined;
  if (member !== undefined) return { file: member.file, args: args.slice(1) };
  const command = name !== undefined && Object.hasOwn(alone, name) ? alone[name] : undefined;
  if (command !== undefined) return { file: command.file, args };
  if (group === undefined) return { error: `There is no command ${name ?? '(none given)'}.` };
  const found = first === undefined ? `${name} needs a name.` : `There is no ${name} ${first}.`;
  return { error: `${found} Names: ${Object.keys(group).join(', ')}.` };
}

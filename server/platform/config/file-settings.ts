/** Reads settings from files: containers receive secrets that way, because secrets must not be in the environment. */
import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

const SUFFIX = '_FILE';
/** No setting is longer, so a longer file was named by mistake. */
const MAX_LENGTH = 65_536;

/**
 * The environment with `NAME` read from the file that `NAME_FILE` names, without the trailing line break.
 *
 * @param names   all existing settings: `SITE_FILE` is itself one, not the file of a setting `SITE`
 * @param refuse  called with a message that omits the file's content
 */
export function withFileSettings(
  env: Environment,
  names: readonly string[],
  refuse: (sentence: string) => never,
): Environment {
  const filled: Record<string, string | undefined> = { ...env };
  for (const name of names) {
    const path = env[name + SUFFIX];
    if (path === undefined || path === '' || names.includes(name + SUFFIX)) continue;
    if (env[name] !== undefined && env[name] !== '') refuse(`${name} and ${name}${SUFFIX} are both set; one is meant.`);
    filled[name] = contentOf(path, name + SUFFIX, refuse);
  }
  return filled;
}

function contentOf(path: string, name: string, refuse: (sentence: string) => never): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
    return refuse(`${name} names a file that cannot be read (${code}): ${path}`);
  }
  const value = text.replace(/\r?\n$/, '');
  if (value === '') return refuse(`${name} names an empty file: ${path}`);
  return value.length > MAX_LENGTH ? refuse(`${name} names a file that is no setting: ${path}`) : value;
}

/** Settings may be in a file, because containers keep secrets out of the environment. */
import { readFileSync } from 'node:fs';

/** Called with a message for the operator; it must hold no secret. */
export type Refuse = (message: string) => never;

export type Environment = Readonly<Record<string, string | undefined>>;

const SUFFIX = '_FILE';
/** No setting is longer, so a longer file was named by mistake. */
const MAX_LENGTH = 65_536;

/**
 * The environment with `NAME` read from the file that `NAME_FILE` names, without the trailing line break.
 * @param names all existing settings: `SITE_FILE` is itself one, not the file of a setting `SITE`
 * @param refuse called with a message that omits the file's content
 */
export function withFileSettings(env: Environment, names: readonly string[], refuse: Refuse): Environment {
  const filled: Record<string, string | undefined> = { ...env };
  for (const name of names) {
    const path = env[name + SUFFIX];
    if (path === undefined || path === '' || names.includes(name + SUFFIX)) continue;
    if (env[name] !== undefined && env[name] !== '')
      refuse(`${name} and ${name}${SUFFIX} are both set; set only one of them.`);
    filled[name] = contentOf(path, name + SUFFIX, refuse);
  }
  return filled;
}

function contentOf(path: string, name: string, refuse: Refuse): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
    return refuse(`${name} names a file that cannot be read (${code}): ${path}`);
  }
  const value = text.replace(/\r?\n$/, '');
  if (value === '') return refuse(`${name} names an empty file: ${path}`);
  return value.length > MAX_LENGTH ? refuse(`${name} names a file that is too long to be a setting: ${path}`) : value;
}

/** `id:secret`, split at the first colon. */
export function readPair(text: string, name: string, refuse: Refuse): readonly [string, string] {
  const at = text.indexOf(':');
  const [first, second] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at <= 0 || first === '' || second === '') refuse(`${name} must be two values separated by a colon.`);
  return [first, second];
}

/** `one,two=2`: the values by name, empty for an entry without one. */
export function readEntries<Name extends string>(
  text: string | undefined,
  setting: string,
  known: readonly Name[],
  refuse: Refuse,
): Partial<Record<Name, string>> {
  const entries: Partial<Record<Name, string>> = {};
  for (const entry of (text ?? '').split(',').filter((one) => one.trim() !== '')) {
    const [key = '', ...rest] = entry.split('=');
    // The message omits the entry, which may hold a secret.
    const name = known.find((one) => one === key.trim()) ?? refuse(`${setting} only takes ${known.join(', ')}.`);
    if (entries[name] !== undefined) refuse(`${setting} names ${name} twice.`);
    entries[name] = rest.join('=').trim();
  }
  return entries;
}

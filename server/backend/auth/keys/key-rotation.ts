/**
 * Changes the signing key while users are signed in: a new key is put first and signs; older ones verify until their
 * last token expires. Refresh tokens depend on a separate secret, so no one is signed out.
 */
import type { Logger } from '../../../platform/telemetry/log.ts';
import { apiKeys, type KeyFile, keyFilePath, makeSigningKey, readKeyFile, writeKeyFile } from './key-file.ts';
import type { OpenedKeys } from './keys.ts';
import { ACCESS_TOKEN_S } from './token-verifier.ts';

/** Covers the time until every server has read the new file, and clock differences. */
const SLACK_S = 15 * 60;
/** Pages stay open for days, not for years. */
const MAX_FORMER_ANON_KEYS = 5;

export interface Rotated {
  kid: string;
  older: number;
}

/** @throws Error when there is no key file yet */
export async function rotateKeys(dataDir: string, nowS: number): Promise<Rotated> {
  const { path, file } = await existing(dataDir);
  const key = await makeSigningKey();
  const rotated: KeyFile = {
    ...file,
    signing: [{ ...key, addedAtS: nowS }, ...file.signing],
    ...(await apiKeys(key, nowS)),
    formerAnonKeys: [file.anonKey, ...file.formerAnonKeys].slice(0, MAX_FORMER_ANON_KEYS),
  };
  await writeKeyFile(path, rotated);
  return { kid: key.kid, older: file.signing.length };
}

export interface Retired {
  retired: readonly string[];
  /** Older keys that must stay, with the earliest time of their removal, epoch seconds. */
  waiting: readonly { kid: string; untilS: number | null }[];
}

/** @throws Error when there is no key file yet */
export async function retireKeys(dataDir: string, nowS: number): Promise<Retired> {
  const { path, file } = await existing(dataDir);
  const older = file.signing.slice(1).map((key, at) => ({ key, untilS: neededUntilS(file.signing.slice(0, at + 1)) }));
  const isOver = ({ untilS }: { untilS: number | null }) => untilS !== null && untilS <= nowS;
  const retired = older.filter(isOver).map(({ key }) => key.kid);
  const signing = file.signing.filter(({ kid }) => !retired.includes(kid));
  if (retired.length > 0) await writeKeyFile(path, { ...file, signing });
  const waiting = older.filter((one) => !isOver(one)).map(({ key: { kid }, untilS }) => ({ kid, untilS }));
  return { retired, waiting };
}

/**
 * A key signed its last token when the first newer key was added.
 * @param newer the keys before it in the file
 * @returns null if none has a time, because they were added by hand
 */
function neededUntilS(newer: KeyFile['signing']): number | null {
  const times = newer.flatMap(({ addedAtS }) => (addedAtS === undefined ? [] : [addedAtS]));
  return times.length === 0 ? null : Math.min(...times) + ACCESS_TOKEN_S + SLACK_S;
}

async function existing(dataDir: string): Promise<{ path: string; file: KeyFile }> {
  const path = keyFilePath(dataDir);
  const file = await readKeyFile(path);
  if (file === null) throw new Error(`There is no ${path} yet. Create it once with: npm run keys`);
  return { path, file };
}

/** The longest delay until a running server notices a rotation. */
const CHECK_EVERY_MS = 2000;

/** @returns a function that stops it and waits for a check in progress */
export function followKeyFile(options: {
  keys: Pick<OpenedKeys, 'reload'>;
  log: Logger;
  everyMs?: number;
}): () => Promise<void> {
  const { keys, log } = options;
  let underWay: Promise<void> | null = null;
  let hasFailed = false;

  async function check(): Promise<void> {
    try {
      if (await keys.reload()) log.info('the key file changed and was reloaded');
      hasFailed = false;
    } catch (error) {
      // The keys read before stay in use; logged once, not every two seconds.
      if (!hasFailed) log.error({ err: error }, 'the key file changed and could not be read');
      hasFailed = true;
    }
  }

  const timer = setInterval(() => {
    underWay ??= check().finally(() => {
      underWay = null;
    });
  }, options.everyMs ?? CHECK_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}

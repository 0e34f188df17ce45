/** The environment settings of web push. */
import * as z from 'zod/mini';
import type { PushKeys } from '../push/push-keys.ts';

export const PUSH_FIELDS = {
  /**
   * auto: the browsers' push services in production and with a live market, otherwise a sandbox where one is allowed.
   */
  PUSH: z._default(z.enum(['auto', 'live', 'sandbox', 'off']), 'auto'),
  PUSH_PUBLIC_KEY: z.optional(z.string().check(z.minLength(1))),
  PUSH_PRIVATE_KEY: z.optional(z.string().check(z.minLength(1))),
  /** Where a push service writes when something is wrong. */
  PUSH_CONTACT: z.optional(z.string().check(z.regex(/^(?:https:\/\/|mailto:)\S+$/))),
};

export interface PushSettings {
  choice: 'auto' | 'live' | 'sandbox' | 'off';
  /** Null for the keys in the data folder. */
  keys: PushKeys | null;
  contact: string;
}

const fieldsSchema = z.object(PUSH_FIELDS);

/**
 * @param site    supplies the contact when `PUSH_CONTACT` is not set
 * @param refuse  called with a message when the settings contradict each other
 */
export function toPushSettings(
  e: z.output<typeof fieldsSchema>,
  site: { publicUrl: string | null; mailFrom: string },
  refuse: (sentence: string) => never,
): PushSettings {
  const { PUSH_PUBLIC_KEY: publicKey, PUSH_PRIVATE_KEY: privateKey } = e;
  if ((publicKey === undefined) !== (privateKey === undefined))
    refuse('PUSH_PUBLIC_KEY and PUSH_PRIVATE_KEY are set together or not at all.');
  return {
    choice: e.PUSH,
    keys: publicKey === undefined || privateKey === undefined ? null : { publicKey, privateKey },
    contact: e.PUSH_CONTACT ?? contactOf(site),
  };
}

function contactOf({ publicUrl, mailFrom }: { publicUrl: string | null; mailFrom: string }): string {
  if (publicUrl?.startsWith('https:') === true) return publicUrl;
  return `mailto:${/<([^<>]+)>$/.exec(mailFrom)?.[1] ?? mailFrom}`;
}

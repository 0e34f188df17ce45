/** Patterns of secrets committed by mistake: keys of the services that we use, and of this server. */

export interface FoundSecret {
  file: string;
  line: number;
  kind: string;
}

/** Too long to match an example in prose. Each pattern is written so that it does not match itself. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s*[A-Za-z0-9+/=\\]{32}/],
  ['a private key of ours', /"d"\s*:\s*"[A-Za-z0-9_-]{43}"/],
  ['a live key of the payment provider', /\b[sr]k_live_[A-Za-z0-9]{20,}/],
  ['a webhook secret of the payment provider', /\bwhsec_[A-Za-z0-9]{32,}/],
  ['a key of the object store', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a token of the code’s host', /\bgh[pousr]_[A-Za-z0-9]{36}|\bgithub_pat_[A-Za-z0-9_]{60,}/],
  ['a key of Google', /\bAIza[A-Za-z0-9_-]{35}\b/],
  ['a client secret of Google', /\bGOCSPX-[A-Za-z0-9_-]{28}/],
  ['a token of a package registry', /\bnpm_[A-Za-z0-9]{36}\b|_authToken\s*=\s*(?!\$)\S{20,}/],
  ['a key of Databento', /\bdb-[A-Za-z0-9]{29}\b/],
  ['a token of a chat', /\bxox[abprs]-[A-Za-z0-9-]{20,}/],
  [
    'a key with all rights',
    /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]*(?:c2VydmljZV9yb2xl|NlcnZpY2Vfcm9sZ|zZXJ2aWNlX3JvbGU)/,
  ],
];

/** Test values that are public knowledge: file and kind, with the reason. */
export type KnownSecrets = ReadonlyMap<string, string>;

/** @param file  its path, for the report */
export function secretsIn(file: string, text: string, known: KnownSecrets = new Map()): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const [kind, pattern] of KINDS) {
    if (known.has(`${file}: ${kind}`)) continue;
    for (const match of text.matchAll(new RegExp(pattern, 'g')))
      found.push({ file, line: text.slice(0, match.index).split('\n').length, kind });
  }
  return found;
}

/**
 * EIP-4361, which Solana wallets use much the same; read by line, because wallets differ in order and choice of fields.
 */
import * as z from 'zod/mini';
import { AuthError, validationFailed } from '../../auth-error.ts';

export type Chain = 'ethereum' | 'solana';

export interface WalletMessage {
  /** Of the requesting page, as the wallet saw it; null if the wallet doesn't state it. */
  scheme: string | null;
  domain: string;
  /** Ethereum: in lower case. */
  address: string;
  statement: string | null;
  uri: URL;
  chainId: string | null;
  issuedAtMs: number;
  notBeforeMs: number | null;
  expiresAtMs: number | null;
}

const MIN_LENGTH = 64;
const MAX_LENGTH = 20 * 1024;
/** Hidden characters, which no honest message contains. */
const CONTROL_CHARACTERS = /[\p{Cc}--\n]/v;

const HEADER =
  /^(?:(?<scheme>[A-Za-z][A-Za-z0-9+.-]*):\/\/)?(?<domain>[^\s/]+) wants you to sign in with your (?<chain>\w+) account:$/;
const CHAIN_NAMES = { ethereum: 'Ethereum', solana: 'Solana' } as const;
const ADDRESSES = { ethereum: /^0x[0-9a-f]{40}$/i, solana: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/ } as const;
const CHAIN_IDS = { ethereum: /^[1-9]\d{0,77}$/, solana: /^(?:solana:)?(?:mainnet|devnet|testnet|localnet)$/ } as const;
const FIELD_NAMES = new Set([
  'URI',
  'Version',
  'Chain ID',
  'Nonce',
  'Issued At',
  'Expiration Time',
  'Not Before',
  'Request ID',
]);
const NONCE = /^[A-Za-z0-9]{8,}$/;

const moment = z.iso.datetime({ offset: true });

/** @throws AuthError 400 validation_failed with the reason */
export function readWalletMessage(chain: Chain, text: string): WalletMessage {
  if (text.length < MIN_LENGTH) throw validationFailed('message is too short');
  if (text.length > MAX_LENGTH) throw validationFailed('message must not exceed 20KB');
  if (!text.isWellFormed() || CONTROL_CHARACTERS.test(text)) throw malformed('it contains invisible characters');
  const [header = '', address = '', gap, ...rest] = text.split('\n');
  const opening = HEADER.exec(header)?.groups;
  if (opening?.domain === undefined || opening.chain !== CHAIN_NAMES[chain])
    throw malformed(`the first line must end in "wants you to sign in with your ${CHAIN_NAMES[chain]} account:"`);
  if (!ADDRESSES[chain].test(address)) throw malformed('the second line must be an address');
  if (gap !== '') throw malformed('the third line must be empty');
  const { statement, lines } = splitStatement(rest);
  const fields = readFields(lines);
  if (fields.get('Version') !== '1') throw malformed('Version must be 1');
  const nonce = fields.get('Nonce');
  if (nonce !== undefined && !NONCE.test(nonce)) throw malformed('Nonce must be at least 8 letters and digits');
  const issuedAtMs = momentOf(fields, 'Issued At');
  if (issuedAtMs === null) throw malformed('Issued At is missing');
  return {
    scheme: opening.scheme?.toLowerCase() ?? null,
    domain: opening.domain.toLowerCase(),
    address: chain === 'ethereum' ? address.toLowerCase() : address,
    statement,
    uri: readUri(fields.get('URI')),
    chainId: readChainId(chain, fields.get('Chain ID')),
    issuedAtMs,
    notBeforeMs: momentOf(fields, 'Not Before'),
    expiresAtMs: momentOf(fields, 'Expiration Time'),
  };
}

/** A message is sent right after signing; an older one has no legitimate use. */
const MAX_AGE_MS = 10 * 60_000;
/** A wallet's clock may be ahead of ours. */
const CLOCK_SKEW_MS = 60_000;

/** @param isOwnPage whether a sign-in may come from there. @throws AuthError 400 validation_failed with the reason */
export function requireCurrent(message: WalletMessage, isOwnPage: (uri: URL) => boolean, nowMs: number): void {
  if (!isOwnPage(message.uri))
    throw refused(
      'Signed message is using URI which is not allowed on this server, message was signed for another app',
    );
  const schemeMatches = message.scheme === null || `${message.scheme}:` === message.uri.protocol;
  if (message.domain !== message.uri.host || !schemeMatches)
    throw refused('Signed message is using a Domain that does not match the one in URI');
  if (message.issuedAtMs > nowMs + CLOCK_SKEW_MS) throw refused('Signed message was issued too far in the future');
  if (message.issuedAtMs <= nowMs - MAX_AGE_MS) throw refused('Signed message was issued too long ago');
  if (message.notBeforeMs !== null && nowMs < message.notBeforeMs)
    throw refused('Signed message becomes valid in the future');
  if (message.expiresAtMs !== null && nowMs >= message.expiresAtMs) throw refused('Signed message is expired');
}

/** From then on every server refuses the message as too old, so its record can be deleted. */
export function uselessAfterMs(message: WalletMessage): number {
  return message.issuedAtMs + MAX_AGE_MS + CLOCK_SKEW_MS;
}

/** Includes the fields in which the hosted service repeats the reason. */
export function refused(reason: string): AuthError {
  return new AuthError(400, 'validation_failed', reason, {
    fields: { error: 'invalid_grant', error_description: reason },
  });
}

function malformed(reason: string): AuthError {
  return validationFailed(`message is not a valid sign-in message: ${reason}`);
}

/** Between the address and the fields: one line of text and an empty line, or only an empty line, or nothing. */
function splitStatement(lines: readonly string[]): { statement: string | null; lines: readonly string[] } {
  const [first, second, ...rest] = lines;
  if (first === '') return { statement: null, lines: lines.slice(1) };
  return first !== undefined && second === '' ? { statement: first, lines: rest } : { statement: null, lines };
}

/** Each at most once; a list of resources comes last. */
function readFields(lines: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  // For Solana, the client library writes the list's title without its colon.
  const listStart = lines.findIndex((line) => line === 'Resources:' || line === 'Resources');
  const isResource = (line: string) => line.startsWith('- ') && URL.canParse(line.slice(2));
  if (listStart !== -1 && !lines.slice(listStart + 1).every(isResource)) throw malformed('Resources must be addresses');
  for (const line of listStart === -1 ? lines : lines.slice(0, listStart)) {
    const [name = '', ...value] = line.split(': ');
    if (!FIELD_NAMES.has(name) || value.length === 0) throw malformed('a line is not one of its fields');
    if (fields.has(name)) throw malformed(`${name} appears twice`);
    fields.set(name, value.join(': '));
  }
  return fields;
}

function readUri(text: string | undefined): URL {
  const uri = text === undefined ? null : URL.parse(text);
  if (uri === null) throw malformed('URI is missing or not an address');
  return uri;
}

/** Solana wallets may omit it. */
function readChainId(chain: Chain, chainId: string | undefined): string | null {
  if (chainId === undefined && chain === 'solana') return null;
  if (chainId === undefined || !CHAIN_IDS[chain].test(chainId)) throw malformed('Chain ID is missing or unknown');
  return chainId;
}

function momentOf(fields: ReadonlyMap<string, string>, name: string): number | null {
  const text = fields.get(name);
  if (text === undefined) return null;
  const parsed = moment.safeParse(text);
  if (!parsed.success) throw malformed(`${name} must be a time like 2026-11-20T10:00:00Z`);
  return Date.parse(parsed.data);
}

/** POST /token?grant_type=web3: a session for a message that a wallet signed. Makes no calls to a chain. */
import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { OWNER, SqlError, type Transaction } from '../../../../platform/database/database.ts';
import { type AuthDeps, nowIso, readObject, textField } from '../../auth-deps.ts';
import { AuthError } from '../../auth-error.ts';
import { requireCaptcha } from '../../captcha.ts';
import {
  findIdentity,
  insertIdentity,
  insertProvidedUser,
  refreshIdentity,
  setProviders,
} from '../../providers/identity-store.ts';
import { type SessionAnswer, sessionAnswer, signInAs } from '../../sessions/sessions.ts';
import { spendProof } from '../spent-proof-store.ts';
import {
  type Chain,
  readWalletMessage,
  refused,
  requireCurrent,
  uselessAfterMs,
  type WalletMessage,
} from './wallet-message.ts';
import { isSignedByEthereum, isSignedBySolana } from './wallet-signatures.ts';

interface SignedMessage {
  chain: Chain;
  text: string;
  message: WalletMessage;
}

/** @throws AuthError 400 web3_unsupported_chain, validation_failed (with the reason), captcha_failed, user_banned */
export async function byWeb3(c: Context, deps: AuthDeps): Promise<SessionAnswer> {
  await deps.limits.signInPerAddress.consume(deps.clientAddress(c));
  const body = await readObject(c);
  await requireCaptcha(c, deps, body);
  const signed = await readSigned(c, deps, body);
  try {
    return await signIn(c, deps, signed);
  } catch (error) {
    // Two simultaneous first sign-ins: the other request has created the account by now.
    if (error instanceof SqlError && error.code === '23505') return signIn(c, deps, signed);
    throw error;
  }
}

/** Makes all checks that need no database; the signature last, because it costs the most. */
async function readSigned(c: Context, deps: AuthDeps, body: Record<string, unknown>): Promise<SignedMessage> {
  const chain = textField(body, 'chain');
  if (chain !== 'ethereum' && chain !== 'solana')
    throw new AuthError(400, 'web3_unsupported_chain', 'Unsupported chain');
  const text = textField(body, 'message') ?? '';
  const signature = textField(body, 'signature') ?? '';
  const message = readWalletMessage(chain, text);
  const ownOrigin = deps.originOf(c);
  const isOwnPage = (uri: URL) => deps.redirects.resolve(ownOrigin, uri.href) === uri.href;
  requireCurrent(message, isOwnPage, deps.clock.nowMs());
  const isSigned =
    chain === 'ethereum'
      ? await isSignedByEthereum(message.address, text, signature)
      : isSignedBySolana(message.address, text, signature);
  if (!isSigned) throw refused('Signature does not match address in message');
  return { chain, text, message };
}

async function signIn(c: Context, deps: AuthDeps, { chain, text, message }: SignedMessage): Promise<SessionAnswer> {
  const now = nowIso(deps);
  const uselessAfter = new Date(uselessAfterMs(message)).toISOString();
  const { stored, session } = await deps.database.transaction(OWNER, async (tx) => {
    if (!(await spendProof(tx, 'web3', `${chain}\n${text}`, uselessAfter, now)))
      throw refused('Signed message was used before, sign a new one');
    const userId = await accountOfWallet(tx, chain, message, now);
    return signInAs(tx, c, deps, { userId, proof: { method: 'web3' } }, now);
  });
  return sessionAnswer(c, deps, stored.user, session);
}

const PROVIDER = 'web3';
/** Cut, because every access token contains it; the wallet showed the whole statement. */
const MAX_STATEMENT_LENGTH = 300;

/** @returns the account's id. @throws SqlError 23505 for two simultaneous first sign-ins: a second try finds it */
async function accountOfWallet(tx: Transaction, chain: Chain, message: WalletMessage, nowIso: string): Promise<string> {
  const subject = `${PROVIDER}:${chain}:${message.address}`;
  const data = { ...walletFacts(chain, message), sub: subject };
  const known = await findIdentity(tx, { provider: PROVIDER, subject });
  if (known !== null && (await refreshIdentity(tx, { ...known, data }, nowIso))) return known.userId;
  const userId = randomUUID();
  await insertProvidedUser(tx, { id: userId, email: null, isConfirmed: false, metadata: data }, nowIso);
  await insertIdentity(tx, { provider: PROVIDER, subject, userId, data }, nowIso);
  await setProviders(tx, userId);
  return userId;
}

function walletFacts(chain: Chain, message: WalletMessage): Record<string, unknown> {
  const facts = {
    address: message.address,
    chain,
    network: message.chainId ?? '',
    domain: message.domain,
    statement: (message.statement ?? '').slice(0, MAX_STATEMENT_LENGTH).toWellFormed(),
  };
  // A hosted project nests them one level down; this way a page reads the same field on both.
  return { ...facts, custom_claims: facts };
}

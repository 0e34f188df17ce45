/** Accounts of wallets: found by the wallet's address, created at its first sign-in, without email or password. */
import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../platform/database/database.ts';
import {
  findIdentity,
  insertIdentity,
  insertProvidedUser,
  refreshIdentity,
  setProviders,
} from '../providers/identity-store.ts';
import type { Chain, WalletMessage } from './wallet-message.ts';

const PROVIDER = 'web3';
/** Cut, because every access token contains it; the wallet showed the whole statement. */
const MAX_STATEMENT_LENGTH = 300;

/**
 * @returns the account's id
 * @throws SqlError 23505 for two simultaneous first sign-ins of a wallet: a second try finds the account
 */
export async function accountOfWallet(
  tx: Transaction,
  chain: Chain,
  message: WalletMessage,
  nowIso: string,
): Promise<string> {
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

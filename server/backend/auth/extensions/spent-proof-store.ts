/** Signed statements from outside (wallet messages, SAML assertions, id tokens): each is accepted once. */
import { hash } from 'node:crypto';
import type { Queries } from '../../../platform/database/database.ts';

export type ProofKind = 'web3' | 'saml' | 'id_token';

const SWEEP_BATCH = 100;

/**
 * Only one of several parallel callers gets true. Call it in the transaction that acts on the proof, so that a later
 * failure releases it. @returns true for the first
 * @param proof identifies the statement uniquely; only its hash is stored
 * @param expiresAtIso from then on the statement is refused as expired anyway
 */
export async function spendProof(
  queries: Queries,
  kind: ProofKind,
  proof: string,
  expiresAtIso: string,
  nowIso: string,
): Promise<boolean> {
  await queries.query(
    `delete from auth.spent_proofs where proof_hash in (
       select proof_hash from auth.spent_proofs where expires_at <= $1::text::timestamptz
       order by expires_at limit $2::int for update skip locked)`,
    [nowIso, SWEEP_BATCH],
  );
  const spent = await queries.query(
    `insert into auth.spent_proofs (proof_hash, kind, expires_at)
     values ($1::text, $2::text, $3::text::timestamptz) on conflict (proof_hash) do nothing returning 1`,
    [hash('sha256', `${kind}\n${proof}`), kind, expiresAtIso],
  );
  return spent.length === 1;
}

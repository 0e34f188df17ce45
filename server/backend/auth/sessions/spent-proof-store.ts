/** Signed statements from outside (wallet messages, SAML assertions, id tokens): each is accepted once. */
import { createHash } from 'node:crypto';
import type { Queries } from '../../../platform/database/database.ts';

export type ProofKind = 'web3' | 'saml' | 'id_token';

/** How many rows that no longer matter one call clears away. */
const SWEPT_AT_ONCE = 100;

/**
 * Of parallel callers with the same proof one gets true; the others wait for its transaction. Called in the transaction
 * that acts on the proof, so that a failure afterwards gives it back.
 *
 * @param proof         what makes the statement this one and no other; only its hash is kept
 * @param expiresAtIso  from then on the statement is refused for its age anyway
 * @returns true for the first
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
    [nowIso, SWEPT_AT_ONCE],
  );
  const spent = await queries.query(
    `insert into auth.spent_proofs (proof_hash, kind, expires_at)
     values ($1::text, $2::text, $3::text::timestamptz) on conflict (proof_hash) do nothing returning 1`,
    [createHash('sha256').update(`${kind}\n${proof}`).digest('hex'), kind, expiresAtIso],
  );
  return spent.length === 1;
}

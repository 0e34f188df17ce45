/** A check's result: first the verdict, then what was checked and what was not, then every fault. */
import Check from 'lucide-react/icons/check';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import Info from 'lucide-react/icons/info';
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { groupedCount } from '#domain/format/count.ts';
import type { Verification } from '#domain/record/verify/verify-record.ts';
import { Progress } from '../../../ui/status/progress.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import { ForecastPageLink } from '../forecast-page-link.tsx';
import type { VerificationState } from './use-verification.ts';
import styles from './verification-result.module.css';

export function VerificationResult({ state }: { state: VerificationState }) {
  return (
    <div className={styles.result} role="status" aria-label="Result of the check">
      <ResultText state={state} />
    </div>
  );
}

function ResultText({ state }: { state: VerificationState }) {
  switch (state.step) {
    case 'idle':
      return (
        <p className={styles.quiet}>The result appears here: what was checked, what wasn’t, and every problem found.</p>
      );
    case 'fetching':
      return (
        <p className={styles.quiet}>
          Fetching the raw file: <span className="figures">{`${groupedCount(Math.round(state.bytes / 1024))} KB`}</span>
        </p>
      );
    case 'checking':
      if (state.total === 0) return <p className={styles.quiet}>Reading…</p>;
      return <Progress label="Checking" value={state.done} max={state.total} />;
    case 'missing':
      return (
        <Answer tone="open" title="There is no such file.">
          The server has nothing at {state.path}. Days are sealed soon after midnight UTC; a day without records has no
          file.
        </Answer>
      );
    case 'failed':
      return (
        <Answer tone="open" title="Not checked.">
          {state.message}
        </Answer>
      );
    case 'done':
      return <Done {...state} />;
  }
}

const ICONS = { good: CircleCheck, bad: CircleAlert, open: Info } as const;

interface AnswerProps {
  tone: keyof typeof ICONS;
  title: string;
  children: ReactNode;
}

function Answer({ tone, title, children }: AnswerProps) {
  const Icon = ICONS[tone];
  return (
    <div className={classNames(styles.answer, styles[tone])}>
      <Icon size={20} aria-hidden="true" />
      <div>
        <p className={styles.title}>{title}</p>
        <p>{children}</p>
      </div>
    </div>
  );
}

function Done({ verification, names, path, page, hasSignatures }: Extract<VerificationState, { step: 'done' }>) {
  const { isSound, findings, moreFindings, checks, keys } = verification;
  const faults = findings.filter(({ severity }) => severity === 'fault');
  const notes = findings.filter(({ severity }) => severity === 'note');
  const isComplete = checks.every(({ what, outcome }) => outcome === 'ok' || !DECISIVE.has(what));
  const found = `${names.join(', ')}: ${describeCounts(verification)}.`;
  return (
    <>
      {!isSound && (
        <Answer tone="bad" title="Not valid.">
          {verification.counts.records > 0 && faults.some(({ kind }) => !UNSIGNED.has(kind)) && (
            <span>This isn’t the record that was sealed. </span>
          )}
          <span>{found}</span>
        </Answer>
      )}
      {isSound && (
        <Answer
          tone={isComplete ? 'good' : 'open'}
          title={isComplete ? 'Valid.' : 'No problems found in what could be checked.'}
        >
          {found}
        </Answer>
      )}
      <ul className={styles.checks} aria-label="Checks">
        {checks.map(({ what, outcome, text }) => (
          <CheckLine key={what} outcome={outcome} text={text} />
        ))}
      </ul>
      {!hasSignatures && (
        <p className={styles.signature}>
          This browser doesn’t support Ed25519, so it couldn’t check the signature or whether the key signed the day. It
          did check the hashes, chain and roots.
        </p>
      )}
      <Findings name="Problems" className={styles.faults} findings={faults} />
      <Findings name="Notes" className={styles.notes} findings={notes} />
      {moreFindings > 0 && <p className={styles.quiet}>{`And ${groupedCount(moreFindings)} more.`}</p>}
      {keys.map(({ id, publicKey, isFromUser }) => (
        <p key={id} className={styles.key}>
          {isFromUser ? 'Your key' : 'Key in the file'}: <span className="figures">{publicKey}</span>
        </p>
      ))}
      {path !== null && (
        <p>
          <a href={path}>The raw file</a>
          {page !== null && (
            <span>
              {' '}
              · <ForecastPageLink {...page}>The forecast’s page</ForecastPageLink>
            </span>
          )}
        </p>
      )}
    </>
  );
}

/** A single record has no neighbours but leads to its signed root, and not every user has a statement to compare. */
const DECISIVE: ReadonlySet<Verification['checks'][number]['what']> = new Set([
  'texts',
  'times',
  'roots',
  'signatures',
]);

/** Findings that mean unsigned, not changed. */
const UNSIGNED: ReadonlySet<Verification['findings'][number]['kind']> = new Set([
  'missing-signature',
  'nothing-signed',
]);

type CheckOutcome = Verification['checks'][number]['outcome'];

const OUTCOMES = {
  ok: { Icon: Check, label: 'checked' },
  failed: { Icon: X, label: 'failed' },
  unchecked: { Icon: CircleDashed, label: 'not checked' },
} as const satisfies Record<CheckOutcome, unknown>;

function CheckLine({ outcome, text }: { outcome: CheckOutcome; text: string }) {
  const { Icon, label } = OUTCOMES[outcome];
  return (
    <li className={styles[outcome]}>
      <Icon size={16} aria-hidden="true" />
      <span>
        <b>{`${label}:`}</b> {text}
      </span>
    </li>
  );
}

interface FindingsProps {
  name: string;
  className: string | undefined;
  findings: Verification['findings'];
}

function Findings({ name, className, findings }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key
    <ul className={className} aria-label={name} tabIndex={0}>
      {findings.map(({ kind, day, seq, text }) => (
        <li key={`${kind} ${day} ${seq} ${text}`}>{text}</li>
      ))}
    </ul>
  );
}

const COUNTED = [
  ['records', 'record'],
  ['hours', 'hourly root'],
  ['days', 'day'],
  ['signatures', 'signature'],
  ['proofs', 'proof'],
  ['documents', 'document'],
  ['outcomes', 'score'],
  ['compared', 'saved statement'],
  ['committed', 'saved record'],
] as const satisfies readonly (readonly [keyof Verification['counts'], string])[];

/** '288 records, 24 hourly roots, 1 day and 1 signature checked'. */
function describeCounts({ counts }: Verification): string {
  const parts = COUNTED.filter(([key]) => counts[key] > 0).map(
    ([key, label]) => `${groupedCount(counts[key])} ${label}${counts[key] === 1 ? '' : 's'}`,
  );
  return parts.length === 0 ? 'nothing in this file could be checked' : `${parts.join(', ')} checked`;
}

/** Verifies a day, a record or a file in this browser, with the same code as npm run verify:record. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { Button } from '../../../ui/forms/button.tsx';
import { Field, TextArea } from '../../../ui/forms/field.tsx';
import { Segmented } from '../../../ui/forms/segmented.tsx';
import { SectionHeading } from '../../../ui/layout/section-heading.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import { checkedSeq } from '../record-messages.ts';
import section from '../section.module.css';
import styles from './check-yourself.module.css';
import { Downloads } from './downloads.tsx';
import { FilePicker } from './file-picker.tsx';
import { dayFile, fetchNewestDay, recordFile } from './raw-files-api.ts';
import { type OwnProof, useVerification } from './use-verification.ts';
import { VerificationResult } from './verification-result.tsx';

const KINDS = [
  { value: 'day', label: 'A day' },
  { value: 'record', label: 'A record' },
  { value: 'file', label: 'A file' },
] as const;

type Kind = (typeof KINDS)[number]['value'];

export function CheckYourself({ className }: { className?: string | undefined }) {
  const { hash } = useLocation();
  const linkedSeq = checkedSeq(hash);
  const place = useRef<HTMLElement>(null);
  const { state, fetchAndCheck, checkFiles } = useVerification();
  const [kind, setKind] = useState<Kind>('day');
  const [picked, setPicked] = useState<string | null>(null);
  const newest = useQuery({ queryKey: ['track-record-newest-day'], queryFn: ({ signal }) => fetchNewestDay(signal) });
  const today = new Date(Date.now()).toISOString().slice(0, 10);
  const day = picked ?? newest.data ?? today;
  const [seq, setSeq] = useState('');
  const [statement, setStatement] = useState('');
  const [key, setKey] = useState('');
  const ownProof = parseOwnProof(statement, key);
  const isBusy = state.step === 'fetching' || state.step === 'checking';

  useEffect(() => {
    if (linkedSeq === null) return;
    setKind('record');
    setSeq(String(linkedSeq));
    place.current?.scrollIntoView();
    fetchAndCheck(recordFile(linkedSeq), {});
  }, [linkedSeq, fetchAndCheck]);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (ownProof === null) return;
    fetchAndCheck(kind === 'day' ? dayFile(day) : recordFile(Number(seq)), ownProof);
  };
  return (
    <section ref={place} id="check" className={classNames(section.section, className)} aria-labelledby="check-heading">
      <SectionHeading
        id="check-heading"
        lead="Your browser fetches the raw file and computes every hash, the chain, the Merkle roots and the signature itself. Nothing is taken on trust, and nothing is sent."
      >
        Check it yourself
      </SectionHeading>
      <div className={styles.columns}>
        <form className={styles.form} onSubmit={onSubmit}>
          <Segmented label="What to check" value={kind} options={KINDS} onChange={setKind} />
          {kind === 'day' && (
            <Field
              label="Day (UTC)"
              type="date"
              value={day}
              required
              onChange={(event) => setPicked(event.currentTarget.value)}
              max={today}
              help={dayHelp(newest.data)}
            />
          )}
          {kind === 'record' && (
            <Field
              label="Number of the record"
              inputMode="numeric"
              pattern="[1-9][0-9]{0,14}"
              title="A whole number from 1"
              value={seq}
              required
              onChange={(event) => setSeq(event.currentTarget.value.trim())}
            />
          )}
          {kind === 'file' && (
            <FilePicker isBusy={isBusy} onFiles={(files) => ownProof !== null && checkFiles(files, ownProof)} />
          )}
          <details className={styles.ownProof}>
            <summary>Compare with your own copy</summary>
            <TextArea
              label="A statement or file that you saved"
              rows={3}
              value={statement}
              onChange={(event) => setStatement(event.currentTarget.value)}
              help="The content of a day’s JSON file, or of a day’s or record’s file from when it was sealed. Anything rewritten since then shows."
            />
            <Field
              label="A public key you trust"
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
              error={ownProof === null ? 'A key has 64 digits from 0 to f.' : undefined}
              help="Without one, the key in the file is used."
            />
          </details>
          {kind !== 'file' && (
            <Button type="submit" variant="primary" isBusy={isBusy}>
              Check {kind === 'day' ? 'this day' : 'this record'}
            </Button>
          )}
        </form>
        <VerificationResult state={state} />
      </div>
      <Downloads day={day} />
    </section>
  );
}

/** @param newest  undefined until known */
function dayHelp(newest: string | null | undefined): string {
  const when = 'A day is signed soon after midnight UTC. Until then, you can check its chain.';
  if (newest === undefined) return when;
  return newest === null ? `No day is signed yet. ${when}` : `The newest signed day is ${newest}. ${when}`;
}

/** Null if the key is invalid. */
function parseOwnProof(statement: string, key: string): OwnProof | null {
  const publicKey = key.trim().toLowerCase();
  if (publicKey !== '' && !/^[0-9a-f]{64}$/.test(publicKey)) return null;
  return {
    ...(publicKey !== '' && { keys: [publicKey] }),
    ...(statement.trim() !== '' && { against: statement.trim() }),
  };
}

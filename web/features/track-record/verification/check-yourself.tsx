/** Verifies a day, a record or a file in this browser, with the same code as npm run verify:record. */
import { type FormEvent, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useNow } from '../../../ui/browser/use-now.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Field, TextArea } from '../../../ui/forms/field.tsx';
import { Segmented } from '../../../ui/forms/segmented.tsx';
import { SectionHeading } from '../../../ui/layout/section-heading.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import { checkedSeq } from '../record-messages.ts';
import styles from './check-yourself.module.css';
import { Downloads } from './downloads.tsx';
import { FilePicker } from './file-picker.tsx';
import { dayFile, recordFile } from './raw-files-api.ts';
import { type CheckKind, useCheckForm } from './use-check-form.ts';
import { useVerification } from './use-verification.ts';
import { VerificationResult } from './verification-result.tsx';

const KINDS = [
  { value: 'day', label: 'A day' },
  { value: 'record', label: 'A record' },
  { value: 'file', label: 'A file' },
] as const satisfies readonly { value: CheckKind; label: string }[];
/** A new day may begin while the page is open. */
const CLOCK_MS = 60_000;

export function CheckYourself({ className }: { className?: string | undefined }) {
  const linkedSeq = checkedSeq(useLocation().hash);
  const place = useRef<HTMLElement>(null);
  const { state, fetchAndCheck, checkFiles } = useVerification();
  const form = useCheckForm(useNow(CLOCK_MS));
  const { kind, ownProof, chooseRecord } = form;
  const isBusy = state.step === 'fetching' || state.step === 'checking';

  useEffect(() => {
    if (linkedSeq === null) return;
    chooseRecord(linkedSeq);
    place.current?.scrollIntoView();
    fetchAndCheck(recordFile(linkedSeq), {});
  }, [linkedSeq, chooseRecord, fetchAndCheck]);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (ownProof !== null) fetchAndCheck(kind === 'day' ? dayFile(form.day) : recordFile(Number(form.seq)), ownProof);
  };
  return (
    <section
      ref={place}
      id="check"
      className={classNames('grid one-column gap-4 min-width-0', className)}
      aria-labelledby="check-heading"
    >
      <SectionHeading
        id="check-heading"
        lead="Your browser fetches the raw file and checks every hash, the chain, the Merkle roots and the signature itself. It takes nothing on trust and sends nothing."
      >
        Check it yourself
      </SectionHeading>
      <div className={styles.columns}>
        <form className={styles.form} onSubmit={onSubmit}>
          <Segmented label="What to check" value={kind} options={KINDS} onChange={form.setKind} />
          {kind === 'day' && (
            <Field
              label="Day (UTC)"
              type="date"
              value={form.day}
              required
              onChange={(event) => form.setDay(event.currentTarget.value)}
              max={form.today}
              help={dayHelp(form.newestDay)}
            />
          )}
          {kind === 'record' && (
            <Field
              label="Record number"
              inputMode="numeric"
              pattern="[1-9][0-9]{0,14}"
              title="A whole number from 1"
              value={form.seq}
              required
              onChange={(event) => form.setSeq(event.currentTarget.value.trim())}
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
              value={form.statement}
              onChange={(event) => form.setStatement(event.currentTarget.value)}
              help="Paste a day’s JSON file, or a day’s or record’s file saved when it was sealed. Anything rewritten or removed since then will show."
            />
            <Field
              label="A public key you trust"
              value={form.publicKey}
              onChange={(event) => form.setPublicKey(event.currentTarget.value)}
              error={ownProof === null ? 'A key has 64 hexadecimal digits.' : undefined}
              help="If you leave this empty, we use the key in the file."
            />
          </details>
          {kind !== 'file' && (
            <Button type="submit" variant="primary" isBusy={isBusy}>
              {`Check ${kind === 'day' ? 'this day' : 'this record'}`}
            </Button>
          )}
        </form>
        <VerificationResult state={state} />
      </div>
      <Downloads day={form.day} />
    </section>
  );
}

/** @param newest  undefined until known */
function dayHelp(newest: string | null | undefined): string {
  const when = 'A day is signed soon after midnight UTC. Until then, you can check its chain.';
  if (newest === undefined) return when;
  return newest === null ? `No day has been signed yet. ${when}` : `The newest signed day is ${newest}. ${when}`;
}

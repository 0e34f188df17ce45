/** Verifies a day, a record or a file in this browser, with the same code as npm run verify:record. */
import { useQuery } from '@tanstack/react-query';
import Upload from 'lucide-react/icons/upload';
import { type DragEvent, type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { Button } from '../../../ui/forms/button.tsx';
import { Field, TextArea } from '../../../ui/forms/field.tsx';
import { Segmented } from '../../../ui/forms/segmented.tsx';
import { SectionHeading } from '../../../ui/layout/section-heading.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import { checkedSeq } from '../record-messages.ts';
import section from '../section.module.css';
import styles from './check-yourself.module.css';
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
  const asked = checkedSeq(hash);
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
  const kept = keptProof(statement, key);
  const isBusy = state.step === 'fetching' || state.step === 'checking';

  useEffect(() => {
    if (asked === null) return;
    setKind('record');
    setSeq(String(asked));
    place.current?.scrollIntoView();
    fetchAndCheck(recordFile(asked), {});
  }, [asked, fetchAndCheck]);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (kept === null) return;
    fetchAndCheck(kind === 'day' ? dayFile(day) : recordFile(Number(seq)), kept);
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
            <FilePlace isBusy={isBusy} onFiles={(files) => kept !== null && checkFiles(files, kept)} />
          )}
          <details className={styles.kept}>
            <summary>Compare with your own copy</summary>
            <TextArea
              label="A statement or file that you kept"
              rows={3}
              value={statement}
              onChange={(event) => setStatement(event.currentTarget.value)}
              help="The content of a day’s JSON file, or of a day’s or record’s file from when it was sealed. Anything rewritten since then shows."
            />
            <Field
              label="A public key you trust"
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
              error={kept === null ? 'A key has 64 digits from 0 to f.' : undefined}
              help="Without one the key in the file is taken."
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
  const when = 'A day is signed soon after its midnight, UTC; before, its chain can be checked.';
  if (newest === undefined) return when;
  return newest === null ? `No day is signed yet. ${when}` : `The newest signed day is ${newest}. ${when}`;
}

/** Null if the key is invalid. */
function keptProof(statement: string, key: string): OwnProof | null {
  const publicKey = key.trim().toLowerCase();
  if (publicKey !== '' && !/^[0-9a-f]{64}$/.test(publicKey)) return null;
  return {
    ...(publicKey !== '' && { keys: [publicKey] }),
    ...(statement.trim() !== '' && { against: statement.trim() }),
  };
}

function FilePlace({ isBusy, onFiles }: { isBusy: boolean; onFiles: (files: readonly File[]) => void }) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    if (files !== null && files.length > 0 && !isBusy) onFiles([...files]);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button inside does the same
    <div
      className={classNames(styles.drop, isOver && styles.over)}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <input
        id={id}
        type="file"
        multiple
        accept=".json,.ndjson"
        className={classNames('visually-hidden', styles.input)}
        onChange={(event) => {
          take(event.currentTarget.files);
          // Allows choosing the same file again after it was changed.
          event.currentTarget.value = '';
        }}
      />
      <label htmlFor={id} className={styles.choose} aria-busy={isBusy}>
        <Upload size={16} aria-hidden="true" />
        Choose files
      </label>
      <p className="muted size-13">
        or drop them here: files of days (NDJSON) or of records (JSON). They stay on your machine.
      </p>
    </div>
  );
}

/** Raw rows, keys and the code that recomputes every figure: plain, permanent URLs. */
export function Downloads({ day }: { day: string }) {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day);
  return (
    <div className={styles.downloads}>
      <h3>Without this page</h3>
      <ul className={styles.links}>
        <li>
          <a href="/record/days.json">Signed days</a>
        </li>
        <li>
          <a href="/record/keys.json">Public keys and their history</a>
        </li>
        {isDay && (
          <>
            <li>
              <a href={dayFile(day)}>Rows of {day} (NDJSON)</a>
            </li>
            <li>
              <a href={`/record/days/${day}.csv`}>Scores of {day} (CSV)</a>
            </li>
          </>
        )}
        <li>
          <a href="/record/recompute.mjs" download>
            Code that recomputes every figure
          </a>
        </li>
      </ul>
      <p className={styles.how}>
        Offline, with the project&rsquo;s code: <code>npm run verify:record -- FILE</code>
      </p>
    </div>
  );
}

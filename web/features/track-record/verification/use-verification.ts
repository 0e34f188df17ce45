/** One check at a time: a new one cancels the last. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Verification, type VerifyOptions, verifyRecordFiles } from '#domain/record/verify/verify-record.ts';
import { browserTools } from '../../../site/verify-tools.ts';
import { pageOfRecordFile, type RecordPage } from './page-of-file.ts';
import { fetchRawFile, type RawFile } from './raw-files-api.ts';

export type VerificationState =
  | { step: 'idle' }
  | { step: 'fetching'; bytes: number }
  | { step: 'checking'; done: number; total: number }
  | { step: 'missing'; path: string }
  | { step: 'failed'; message: string }
  | {
      step: 'done';
      names: readonly string[];
      path: string | null;
      /** Null unless a single forecast of this site was checked. */
      page: RecordPage | null;
      hasSignatures: boolean;
      verification: Verification;
    };

/** The user's own statement or keys, to compare the files with. */
export type OwnProof = Pick<VerifyOptions, 'keys' | 'against'>;

interface VerificationRun {
  state: VerificationState;
  fetchAndCheck(path: string, ownProof: OwnProof): void;
  /** Checks the user's own files; fetches nothing. */
  checkFiles(files: readonly File[], ownProof: OwnProof): void;
}

export function useVerification(): VerificationRun {
  const [state, setState] = useState<VerificationState>({ step: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const run = useCallback((load: Loading, path: string | null, ownProof: OwnProof, first: VerificationState) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    // A cancelled check reports nothing more.
    const report = (next: VerificationState) => {
      if (!signal.aborted) setState(next);
    };
    report(first);
    verify({ load, path, ownProof }, signal, report).catch((error: unknown) => {
      if (!signal.aborted) window.reportError(error);
      report({ step: 'failed', message: 'We couldn’t load the file. Nothing was checked.' });
    });
  }, []);

  const fetchAndCheck = useCallback(
    (path: string, ownProof: OwnProof) => {
      const load: Loading = async (signal, report) => {
        const file = await fetchRawFile(path, signal, (bytes) => report({ step: 'fetching', bytes }));
        return file === null ? null : [file];
      };
      run(load, path, ownProof, { step: 'fetching', bytes: 0 });
    },
    [run],
  );
  const checkFiles = useCallback(
    (files: readonly File[], ownProof: OwnProof) => {
      const load: Loading = () =>
        Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() })));
      run(load, null, ownProof, { step: 'checking', done: 0, total: 0 });
    },
    [run],
  );
  return { state, fetchAndCheck, checkFiles };
}

type Report = (next: VerificationState) => void;
type Loading = (signal: AbortSignal, report: Report) => Promise<readonly RawFile[] | null>;

interface Check {
  load: Loading;
  path: string | null;
  ownProof: OwnProof;
}

async function verify({ load, path, ownProof }: Check, signal: AbortSignal, report: Report) {
  const tools = await browserTools();
  if (tools === null) {
    report({
      step: 'failed',
      message:
        'Browsers only compute hashes over HTTPS, so nothing was checked. npm run verify:record runs the same checks without a browser.',
    });
    return;
  }
  const files = await load(signal, report);
  if (files === null) {
    report({ step: 'missing', path: path ?? '' });
    return;
  }
  report({ step: 'checking', done: 0, total: 0 });
  const verification = await verifyRecordFiles(files, {
    ...ownProof,
    tools,
    nowS: Date.now() / 1000,
    onProgress: (done, total) => report({ step: 'checking', done, total }),
  });
  const names = files.map(({ name }) => name);
  // A file from the disk may be another site's.
  const page = path === null ? null : pageOfRecordFile(files[0]?.text ?? '');
  report({ step: 'done', names, path, page, hasSignatures: tools.verifyEd25519 !== null, verification });
}

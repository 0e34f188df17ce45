/** What the user chose to verify: a day, a record or files, and their own copy to compare it with. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { fetchNewestDay } from './raw-files-api.ts';
import type { OwnProof } from './use-verification.ts';

export type CheckKind = 'day' | 'record' | 'file';

export function useCheckForm(nowMs: number) {
  const [kind, setKind] = useState<CheckKind>('day');
  const [chosenDay, setDay] = useState<string | null>(null);
  const [seq, setSeq] = useState('');
  const [statement, setStatement] = useState('');
  const [publicKey, setPublicKey] = useState('');
  const newest = useQuery({ queryKey: ['track-record-newest-day'], queryFn: ({ signal }) => fetchNewestDay(signal) });
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const chooseRecord = useCallback((number: number) => {
    setKind('record');
    setSeq(String(number));
  }, []);
  return {
    kind,
    setKind,
    chooseRecord,
    seq,
    setSeq,
    statement,
    setStatement,
    publicKey,
    setPublicKey,
    today,
    setDay,
    /** The newest signed day until the user chooses one. */
    day: chosenDay ?? newest.data ?? today,
    /** Null if none is signed; undefined until known. */
    newestDay: newest.data,
    ownProof: parseOwnProof(statement, publicKey),
  };
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

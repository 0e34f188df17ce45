/** The link of a saved prediction: whether it is shared, its address, and buttons that create it and end it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { CopyButton } from '../../ui/forms/copy-button.tsx';
import { Failure } from '../../ui/status/failure.tsx';
import { fetchSharePath, sharePrediction, unsharePrediction } from './share-api.ts';

const OPEN_TO_ALL =
  'Anyone with the link sees this prediction, its bands and its outcome. Your name isn’t shown. You can stop sharing at any time.';
const STOPPED = 'Not shared. Sharing it again makes a new link.';

export interface PredictionLink {
  /** Null while it isn't shared, or not known to be. */
  path: string | null;
  /** What sharing means, or what was done. */
  text: string;
  /** Creates the link, or stops sharing. */
  button: ReactNode;
  /** A message for users. */
  failure: string | null;
}

/** @param predictionId  null: none, so there is nothing to create */
export function usePredictionLink(predictionId: string | null): PredictionLink {
  const id = predictionId ?? '';
  const queryKey = ['prediction-share', predictionId];
  const queries = useQueryClient();
  const share = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchSharePath(id, signal),
    staleTime: 0,
    enabled: predictionId !== null,
  });
  const change = useMutation({
    mutationFn: (isShared: boolean) => (isShared ? unsharePrediction(id) : sharePrediction(id)),
    onSuccess: (path) => queries.setQueryData(queryKey, path),
  });
  const path = share.data ?? null;
  return {
    path,
    text: change.isSuccess && path === null ? STOPPED : OPEN_TO_ALL,
    button: (
      <Button
        variant={path === null ? 'primary' : 'secondary'}
        isBusy={change.isPending}
        disabled={share.data === undefined}
        onClick={() => change.mutate(path !== null)}
      >
        {path === null ? 'Create link' : 'Stop sharing'}
      </Button>
    ),
    failure: (change.error ?? share.error)?.message ?? null,
  };
}

export function LinkRow({ path }: { path: string }) {
  const [hasFailed, setFailed] = useState(false);
  const url = new URL(path, location.href).href;
  return (
    <>
      <div className="row between gap-2">
        <a className="ellipsis min-width-0" href={path} target="_blank" rel="noreferrer">
          {url}
        </a>
        <CopyButton text={url} what="link" className="flex-none" onFailed={() => setFailed(true)} />
      </div>
      {hasFailed && <Failure>We couldn’t copy the link. Select its address and copy it.</Failure>}
    </>
  );
}

/** Shares a saved prediction by a link, and stops sharing it. Loads with the first click on Share. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../../ui/forms/button.tsx';
import { CopyButton } from '../../../ui/forms/copy-button.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { Failure } from '../../../ui/status/failure.tsx';
import { fetchSharePath, sharePrediction, unsharePrediction } from './share-api.ts';
import styles from './share-dialog.module.css';

interface ShareDialogProps {
  predictionId: string;
  /** The prediction's name. */
  title: string;
  onClose: () => void;
}

const OPEN_TO_ALL =
  'Anyone with the link sees this prediction, its bands and its outcome. Your name isn’t shown. You can stop sharing at any time.';
const STOPPED = 'Not shared. Sharing it again makes a new link.';

export function ShareDialog({ predictionId, title, onClose }: ShareDialogProps) {
  const queryKey = ['prediction-share', predictionId];
  const queries = useQueryClient();
  const share = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchSharePath(predictionId, signal),
    staleTime: 0,
  });
  const change = useMutation({
    mutationFn: (isShared: boolean) => (isShared ? unsharePrediction(predictionId) : sharePrediction(predictionId)),
    onSuccess: (path) => queries.setQueryData(queryKey, path),
  });
  const path = share.data ?? null;
  const failure = change.error ?? share.error;
  return (
    <Dialog
      isOpen
      heading={`Share ${title}`}
      onClose={onClose}
      actions={
        <Button
          variant={path === null ? 'primary' : 'secondary'}
          isBusy={change.isPending}
          disabled={share.data === undefined}
          onClick={() => change.mutate(path !== null)}
        >
          {path === null ? 'Create link' : 'Stop sharing'}
        </Button>
      }
    >
      <div className={styles.body}>
        <p>{change.isSuccess && path === null ? STOPPED : OPEN_TO_ALL}</p>
        {path !== null && <Links path={path} title={title} />}
        {failure !== null && <Failure>{failure.message}</Failure>}
      </div>
    </Dialog>
  );
}

function Links({ path, title }: { path: string; title: string }) {
  const url = new URL(path, location.href).href;
  return (
    <>
      <div className={styles.link}>
        <a className="ellipsis min-width-0" href={path} target="_blank" rel="noreferrer">
          {url}
        </a>
        <CopyButton text={url} what="link" />
      </div>
      <div className={styles.row}>
        {/* Phones have it, and few desktops. */}
        {typeof navigator.share === 'function' && (
          <Button
            size="small"
            onClick={() => {
              // Closing the sheet rejects, which is no fault.
              navigator.share({ url, title }).catch(() => undefined);
            }}
          >
            Share …
          </Button>
        )}
        <a href={`${path}.png`} download>
          Picture
        </a>
        <a href={`${path}.png?shape=square`} download>
          Square picture
        </a>
      </div>
    </>
  );
}

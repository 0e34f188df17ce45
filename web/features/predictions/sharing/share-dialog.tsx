/** Shares a saved prediction by a link, and stops sharing it. Loads with the first click on Share. */
import { LinkRow, usePredictionLink } from '../../../site/sharing/prediction-link.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { Failure } from '../../../ui/status/failure.tsx';

interface ShareDialogProps {
  predictionId: string;
  /** The prediction's name. */
  title: string;
  onClose: () => void;
}

export function ShareDialog({ predictionId, title, onClose }: ShareDialogProps) {
  const { path, text, button, failure } = usePredictionLink(predictionId);
  return (
    <Dialog isOpen heading={`Share ${title}`} onClose={onClose} actions={button}>
      <div className="grid one-column gap-3">
        <p>{text}</p>
        {path !== null && <Links path={path} title={title} />}
        {failure !== null && <Failure>{failure}</Failure>}
      </div>
    </Dialog>
  );
}

function Links({ path, title }: { path: string; title: string }) {
  const url = new URL(path, location.href).href;
  return (
    <>
      <LinkRow path={path} />
      <div className="row wrap gap-4 size-14">
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

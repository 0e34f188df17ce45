/** Takes files of the record by dropping or choosing them. */
import Upload from 'lucide-react/icons/upload';
import { type DragEvent, useId, useState } from 'react';
import { classNames } from '../../../ui/styles/class-names.ts';
import styles from './check-yourself.module.css';

export function FilePicker({ isBusy, onFiles }: { isBusy: boolean; onFiles: (files: readonly File[]) => void }) {
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
        or drop them here: day files (NDJSON) or record files (JSON). They stay on your device.
      </p>
    </div>
  );
}

/** A line or two, posted immediately. */
import { useRef } from 'react';
import { CHANGELOG_MESSAGES } from '#domain/community/changelog.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { TextArea } from '../../../ui/forms/field.tsx';
import { Failure } from '../../../ui/status/failure.tsx';
import type { Draft } from './drafts.ts';
import { useSending } from './post-editor.tsx';
import styles from './quick-update.module.css';

export interface QuickUpdateProps {
  draft: Draft;
  /** @throws Error with a message for users */
  onPost: (content: string) => Promise<void>;
}

export function QuickUpdate({ draft, onPost }: QuickUpdateProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const { quickUpdateRequired, postFailed } = CHANGELOG_MESSAGES;
  const form = useSending(draft.text, quickUpdateRequired, postFailed, onPost, area);
  return (
    <form noValidate aria-label="Short post" className={styles.form} onSubmit={form.onSubmit}>
      <TextArea
        ref={area}
        label="Quick update"
        help="A line or two, published at once."
        rows={3}
        value={draft.text}
        error={form.fault}
        onChange={(event) => draft.change(event.target.value)}
      />
      {form.failure !== null && <Failure>{form.failure}</Failure>}
      <Button type="submit" isBusy={form.isBusy}>
        Post
      </Button>
    </form>
  );
}

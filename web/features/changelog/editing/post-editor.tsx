/** The post editor: text, preview, and Save. The tab stores the input until it is saved. */
import { type FormEvent, type ReactNode, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react';
import { CHANGELOG_MESSAGES, contentFault, MAX_POST_CHARACTERS, trimmedContent } from '#domain/community/changelog.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { TextArea } from '../../../ui/forms/field.tsx';
import { Failure } from '../../../ui/status/failure.tsx';
import { Markdown } from '../posts/lazy-markdown.tsx';
import { PlainText } from '../posts/plain-text.tsx';
import type { TextDraft } from './drafts.ts';
import styles from './post-editor.module.css';

export interface PostEditorProps {
  draft: TextDraft;
  /** Receives the checked and trimmed text. @throws Error with a message for users */
  onSave: (content: string) => Promise<void>;
  beside?: ReactNode;
  isFocused?: boolean;
  rows?: number;
}

export function PostEditor({ draft, onSave, beside, isFocused = false, rows = 10 }: PostEditorProps) {
  const { text } = draft;
  const area = useRef<HTMLTextAreaElement>(null);
  const form = useSending(text, CHANGELOG_MESSAGES.contentRequired, CHANGELOG_MESSAGES.saveFailed, onSave, area);
  useEffect(() => {
    if (isFocused) area.current?.focus();
  }, [isFocused]);
  return (
    <form noValidate className={styles.editor} onSubmit={form.onSubmit}>
      <div className={styles.sides}>
        <TextArea
          ref={area}
          label="Content"
          help="Markdown: headings, lists, links, quotes, code. HTML and pictures aren’t shown."
          rows={rows}
          value={text}
          error={form.fault}
          count={{ now: lengthOf(text), max: MAX_POST_CHARACTERS }}
          onChange={(event) => draft.change(event.target.value)}
        />
        <Preview text={text} />
      </div>
      {form.failure !== null && <Failure>{form.failure}</Failure>}
      <div className="flex wrap gap-2">
        <Button type="submit" variant="primary" isBusy={form.isBusy}>
          Save
        </Button>
        {beside}
      </div>
    </form>
  );
}

function Preview({ text }: { text: string }) {
  // Deferred, so that the preview never delays typing.
  const shown = trimmedContent(useDeferredValue(text));
  return (
    <div className={styles.preview}>
      <h3 className={styles.previewHeading}>Preview</h3>
      <div className={styles.previewBody}>
        <Shown text={shown} />
      </div>
    </div>
  );
}

function Shown({ text }: { text: string }) {
  if (text === '') return <p className="muted">Your post appears here as readers will see it.</p>;
  if (contentFault(text) !== null) return <p className="muted">Too long to post.</p>;
  return (
    <Suspense fallback={<PlainText content={text} />}>
      <Markdown content={text} />
    </Suspense>
  );
}

/** Counts characters like the database, not UTF-16 units. */
function lengthOf(text: string): number {
  return Array.from(trimmedContent(text)).length;
}

/** Checks, sends once, and shows errors where they can be fixed. @param blank  message for an empty text */
export function useSending(
  text: string,
  blank: string,
  failed: string,
  send: (content: string) => Promise<void>,
  area: { current: HTMLTextAreaElement | null },
) {
  const [wasSent, setSent] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const fault = contentFault(text);
  const message = fault === CHANGELOG_MESSAGES.contentRequired ? blank : fault;

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setFailure(null);
    setSent(message !== null);
    if (message !== null) {
      area.current?.focus();
      return;
    }
    setBusy(true);
    try {
      await send(trimmedContent(text));
    } catch (error) {
      setFailure((error instanceof Error && error.message) || failed);
    } finally {
      setBusy(false);
    }
  };
  return {
    /** Shown from the first attempt until the text is valid. */
    fault: wasSent && message !== null ? message : undefined,
    failure,
    isBusy,
    onSubmit: (event: FormEvent) => void onSubmit(event),
  };
}

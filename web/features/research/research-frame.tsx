/** The research document in its frame, 4800 px high: our own paper, or the document from the site settings. */
import { useEffect, useRef } from 'react';
import { OWN_PAPER_PATH } from '#domain/site/site-settings.ts';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './research-frame.module.css';

const FRAME_HEIGHT = 4800;

interface ResearchFrameProps {
  /** A path on this site, or an external URL. */
  address: string;
}

export function ResearchFrame({ address }: ResearchFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const print = useRef<HTMLDivElement>(null);
  const isOwn = address.startsWith('/');
  const isOwnPaper = address === OWN_PAPER_PATH;

  // A frame prints only its visible part, so its content is copied beside it for print.
  useEffect(() => {
    const copy = () => {
      if (frame.current !== null && print.current !== null) copyForPrint(frame.current, print.current);
    };
    window.addEventListener('beforeprint', copy);
    return () => window.removeEventListener('beforeprint', copy);
  }, []);

  return (
    <div>
      <div className={classNames(styles.window, isOwnPaper && styles.goesOn)}>
        <iframe
          key={address}
          ref={frame}
          title={isOwnPaper ? 'Kat research paper' : 'Research document'}
          src={address}
          height={FRAME_HEIGHT}
          className={styles.frame}
          {...(isOwn ? {} : FOREIGN)}
        />
      </div>
      {isOwnPaper && (
        <p className={styles.more}>
          The paper continues inside the frame: scroll it, or <a href={address}>open the paper on its own</a>.
        </p>
      )}
      <div ref={print} className={styles.print} />
      <p className={styles.instead}>{`To print the research document, open ${address}`}</p>
    </div>
  );
}

/** It may run its own scripts and open links in new tabs, but never navigates this page. */
const FOREIGN = {
  sandbox: 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox',
  referrerPolicy: 'no-referrer',
} as const;

/** @returns false if there is nothing to copy: not loaded, of another origin, or without an article */
export function copyForPrint(frame: HTMLIFrameElement, into: HTMLElement): boolean {
  const framed = documentOf(frame);
  const article = framed?.querySelector('article') ?? null;
  into.toggleAttribute('data-filled', article !== null);
  if (framed === null || article === null) return false;
  // A shadow root isolates its style and ids from the page's; colour variables of the same name still apply.
  const root = into.shadowRoot ?? into.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rulesOf(framed));
  root.adoptedStyleSheets = [sheet];
  root.replaceChildren(document.importNode(article, true));
  return true;
}

function documentOf(frame: HTMLIFrameElement): Document | null {
  try {
    return frame.contentDocument;
  } catch {
    // Another origin's document: some browsers throw instead of returning null.
    return null;
  }
}

function rulesOf({ styleSheets }: Document): string {
  return [...styleSheets].flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText)).join('\n');
}

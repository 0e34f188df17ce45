/** In place of a page or a part whose code is missing: it comes when the network, the server or the new version does. */
import { useEffect } from 'react';
import { useIsOnline } from '../browser/online.ts';
import { reloadPage, servedVersion } from '../browser/served-version.ts';
import { Button } from '../forms/button.tsx';
import { Page } from '../layout/page.tsx';
import type { MissingCodeProps } from '../widget.tsx';
import { EmptyState, ErrorState } from './state.tsx';

const FIRST_MS = 1000;
const MAX_MS = 15_000;

export function Away({ name, served, onRetry }: MissingCodeProps) {
  const isOnline = useIsOnline();
  const isAway = served === null;
  const isPage = name === undefined;
  useEffect(() => {
    if (!isAway) return;
    return whenReachable(async () => {
      // Nothing of the page is here yet, so that nothing is lost; the bundler requests no style sheet twice.
      if (isPage) await reloadPage();
      await restoreStyles();
      onRetry();
    });
  }, [isAway, isPage, onRetry]);
  if (!isAway)
    return (
      <ErrorState
        title="Kat has been updated"
        text={`Reload the page to show ${name}.`}
        action={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
      />
    );
  const subject = name ?? 'This page';
  const state = (
    <EmptyState
      title={isOnline ? 'We can’t reach Kat' : 'You’re offline'}
      text={isOnline ? `${subject} comes when we can. We keep trying.` : `${subject} comes when you’re back.`}
      isPage={isPage}
    />
  );
  return isPage ? <Page>{state}</Page> : state;
}

/** Asks the server when the network returns, and again: networks report their return before they carry anything. */
function whenReachable(comeBack: () => Promise<void>): () => void {
  const ended = new AbortController();
  let waitMs = FIRST_MS;
  let timer = 0;
  const tryNow = async () => {
    window.clearTimeout(timer);
    const served = await servedVersion();
    if (ended.signal.aborted) return;
    if (served !== null) return comeBack();
    if (navigator.onLine) timer = window.setTimeout(tryNow, waitMs);
    waitMs = Math.min(MAX_MS, 2 * waitMs);
  };
  const begin = () => {
    waitMs = FIRST_MS;
    void tryNow();
  };
  window.addEventListener('online', begin, ended);
  if (navigator.onLine) timer = window.setTimeout(tryNow, FIRST_MS);
  return () => {
    ended.abort();
    window.clearTimeout(timer);
  };
}

/** Requests style sheets again that did not arrive: the bundler takes their links for loaded. */
async function restoreStyles(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const failed = links.filter(({ sheet, disabled }) => sheet === null && !disabled);
  const arrivals = failed.map((link) => {
    const again = link.cloneNode() as HTMLLinkElement;
    link.replaceWith(again);
    return new Promise((resolve) => {
      again.onload = resolve;
      again.onerror = resolve;
    });
  });
  await Promise.all(arrivals);
}

/** Replaces the running part of the page with the server's newest, which is the same for all readers. */

const RENEW_MS = 15_000;
const PART = 'forecast';

interface RenewOptions {
  /** After the part was replaced. */
  onRenewed: () => void;
  reload: () => void;
}

/** Call it before anything changes the part: what the server sent is compared with what it sends later. */
export function renewWhileRunning(page: Document, { onRenewed, reload }: RenewOptions): void {
  let shownHtml = page.getElementById(PART)?.outerHTML;
  const stateOf = (part: HTMLElement | null): string => part?.dataset.state ?? 'void';
  const isOver = (): boolean => ['known', 'void'].includes(stateOf(page.getElementById(PART)));
  const renew = async (): Promise<void> => {
    const response = await fetch(page.location.pathname, { headers: { accept: 'text/html' } });
    // Its owner may have stopped sharing it.
    if (response.status === 404) return reload();
    if (!response.ok) return;
    const next = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById(PART);
    const shown = page.getElementById(PART);
    if (next === null || shown === null || next.outerHTML === shownHtml) return;
    // A forecast that opens changes its seal and its files too.
    if (stateOf(shown) === 'sealed' && stateOf(next) !== 'sealed') return reload();
    shownHtml = next.outerHTML;
    next.querySelector('details')?.toggleAttribute('open', shown.querySelector('details')?.open === true);
    shown.replaceWith(next);
    onRenewed();
  };
  const wait = (): void => {
    if (isOver()) return;
    setTimeout(() => {
      // A page that no one looks at is renewed when it is shown again.
      const renewed = page.hidden ? Promise.resolve() : renew().catch(() => undefined);
      void renewed.then(wait);
    }, RENEW_MS);
  };
  wait();
}

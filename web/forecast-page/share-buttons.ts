const COPIED_MS = 2000;

/** Copy link, and the browser's own share sheet where there is one. */
export function addShareButtons(root: ParentNode): void {
  const share = root.querySelector<HTMLElement>('#share');
  if (share === null) return;
  const { url = '', title = '' } = share.dataset;
  const copy = share.querySelector<HTMLButtonElement>('[data-copy]');
  if (copy !== null && navigator.clipboard !== undefined) {
    copy.hidden = false;
    copy.addEventListener('click', async () => {
      const wasCopied = await navigator.clipboard.writeText(url).then(
        () => true,
        () => false,
      );
      copy.textContent = wasCopied ? 'Copied' : 'Copying was refused';
      setTimeout(() => {
        copy.textContent = 'Copy link';
      }, COPIED_MS);
    });
  }
  const sheet = share.querySelector<HTMLButtonElement>('[data-share]');
  if (sheet !== null && typeof navigator.share === 'function') {
    sheet.hidden = false;
    // Closing the sheet rejects, which is no fault.
    sheet.addEventListener('click', () => void navigator.share({ url, title }).catch(() => undefined));
  }
}

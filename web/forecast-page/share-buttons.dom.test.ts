import { beforeEach, expect, test, vi } from 'vitest';
import { addShareButtons } from './share-buttons.ts';

const URL_SHARED = 'https://kat.example/f/abc';
const writeText = vi.fn<(text: string) => Promise<void>>();
const share = vi.fn<(data: ShareData) => Promise<void>>();

beforeEach(() => {
  vi.useFakeTimers();
  writeText.mockReset().mockResolvedValue();
  share.mockReset().mockResolvedValue();
  document.body.innerHTML = `<p id="share" data-url="${URL_SHARED}" data-title="BTC, 50 minutes">
    <button data-copy hidden>Copy link</button><button data-share hidden>Share</button></p>`;
});

/** What a browser of this kind has; tests remove it again. */
function browserHas(parts: { clipboard?: true; share?: true }): void {
  if (parts.clipboard) Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
  if (parts.share) Object.defineProperty(navigator, 'share', { value: share, configurable: true });
}

const button = (kind: 'copy' | 'share') => document.querySelector(`[data-${kind}]`) as HTMLButtonElement;
const settled = () => vi.advanceTimersByTimeAsync(0);

test('copies the link, says so for two seconds, and offers it again', async () => {
  browserHas({ clipboard: true });
  addShareButtons(document);
  expect(button('copy').hidden).toBe(false);

  button('copy').click();
  await settled();
  expect(writeText).toHaveBeenCalledExactlyOnceWith(URL_SHARED);
  expect(button('copy').textContent).toBe('Copied');

  await vi.advanceTimersByTimeAsync(1999);
  expect(button('copy').textContent).toBe('Copied');
  await vi.advanceTimersByTimeAsync(1);
  expect(button('copy').textContent).toBe('Copy link');
});

test('says that the browser refused to copy', async () => {
  browserHas({ clipboard: true });
  writeText.mockRejectedValue(new DOMException('denied', 'NotAllowedError'));
  addShareButtons(document);

  button('copy').click();
  await settled();

  expect(button('copy').textContent).toBe('Copying was refused');
});

test('opens the share sheet with the title and the link, and takes a closed sheet for no fault', async () => {
  browserHas({ share: true });
  share.mockRejectedValue(new DOMException('closed', 'AbortError'));
  addShareButtons(document);
  expect(button('share').hidden).toBe(false);

  button('share').click();
  await settled();

  expect(share).toHaveBeenCalledExactlyOnceWith({ url: URL_SHARED, title: 'BTC, 50 minutes' });
});

test('shows only the buttons that the browser can serve', () => {
  addShareButtons(document);

  expect([button('copy').hidden, button('share').hidden]).toEqual([true, true]);
});

test('does nothing on a page that is not shared', () => {
  browserHas({ clipboard: true, share: true });
  document.body.innerHTML = '<p>Not found</p>';

  expect(() => addShareButtons(document)).not.toThrow();
});

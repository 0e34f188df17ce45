/** Files that the page hands to the browser's downloads: jsdom has neither object URLs nor downloads. */
import { vi } from 'vitest';

export interface SavedFile {
  name: string;
  type: string;
  text: string;
}

// An address is released a minute after its file was saved, when the test is over.
URL.createObjectURL ??= () => 'blob:none';
URL.revokeObjectURL ??= () => {};

/** Records every file saved from now on, until the test ends. */
export function savedFiles(): SavedFile[] {
  const saved: SavedFile[] = [];
  const blobs: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${blobs.push(blob as Blob) - 1}`);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const blob = blobs[Number(this.href.replace('blob:', ''))];
    const { download: name } = this;
    if (blob !== undefined) void blob.text().then((text) => saved.push({ name, type: blob.type, text }));
  });
  return saved;
}

/** Hands a file that was made in the page to the browser's downloads. */

/** The address must live until the browser has begun to read it. */
const KEPT_MS = 60_000;

export function saveFile(name: string, parts: readonly string[], type: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
  window.setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/** The object URL must live until the browser has started to read it. */
const URL_LIFETIME_MS = 60_000;

export function saveFile(name: string, parts: readonly string[], type: string): void {
  saveBlob(name, new Blob([...parts], { type: `${type};charset=utf-8` }));
}

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
  window.setTimeout(() => URL.revokeObjectURL(url), URL_LIFETIME_MS);
}

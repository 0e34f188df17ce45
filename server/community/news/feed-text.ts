/** Decodes a feed's bytes, in the encoding that it declares. */

/** @param contentType  the answer's header; an unknown encoding counts as UTF-8 */
export function feedText(body: Uint8Array, contentType: string | undefined): string {
  const start = Buffer.from(body.subarray(0, 200)).toString('latin1');
  const told = /charset\s*=\s*"?([\w-]+)/i.exec(contentType ?? '')?.[1];
  const declared = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w-]+)/i.exec(start)?.[1];
  return decode(body, markOf(body) ?? told ?? declared ?? 'utf-8');
}

/** A byte order mark overrides any declaration. */
function markOf([first, second]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return null;
}

function decode(body: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    // The name is not an encoding.
    return new TextDecoder().decode(body);
  }
}

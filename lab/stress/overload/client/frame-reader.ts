/** Reassembles a WebSocket server's frames from chunks: a snapshot of a book is dozens of them. */

export interface FrameReader {
  /** Joins chunks only once the frame is complete, not on each chunk. */
  push(chunk: Buffer): void;
}

/** Head size with the longest length field that a client receives. */
const LONGEST_HEAD = 10;

/** @param onFrame  gets the first byte (FIN and opcode) and the payload, which it must not retain */
export function frameReader(onFrame: (first: number, payload: Buffer) => void): FrameReader {
  let chunks: Buffer[] = [];
  let length = 0;
  /** Bytes needed before a frame can be complete. */
  let needed = 2;

  return {
    push(chunk) {
      chunks.push(chunk);
      length += chunk.length;
      if (length < needed) return;
      const bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks, length);
      let at = 0;
      for (;;) {
        needed = frameLength(bytes, at);
        if (bytes.length - at < needed) break;
        const end = at + needed;
        onFrame(bytes[at] ?? 0, bytes.subarray(at + headLength(bytes, at), end));
        at = end;
      }
      const rest = bytes.subarray(at);
      // A copy, so that a few bytes do not retain a whole chunk.
      chunks = rest.length === 0 ? [] : [Buffer.from(rest)];
      length = rest.length;
    },
  };
}

function headLength(bytes: Buffer, at: number): number {
  const short = (bytes[at + 1] ?? 0) & 127;
  if (short < 126) return 2;
  return short === 126 ? 4 : LONGEST_HEAD;
}

/** Length of the frame at `at`, or of as much as is needed to know it. */
function frameLength(bytes: Buffer, at: number): number {
  if (bytes.length - at < 2) return 2;
  const head = headLength(bytes, at);
  if (bytes.length - at < head) return head;
  if (head === 2) return head + ((bytes[at + 1] ?? 0) & 127);
  return head + (head === 4 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2)));
}

import { HEAD_BYTES } from './messages.ts';

/** @param at  start of the message in `bytes`; @param end  its end */
export type OnMessage = (bytes: Buffer, at: number, end: number) => void;

/** Cuts a connection's bytes into whole messages. A message in several chunks is joined once, when its last one is there. */
export function messageStream(onMessage: OnMessage): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let have = 0;
  let need = HEAD_BYTES;

  return (chunk) => {
    let bytes = chunk;
    if (have > 0) {
      parts.push(chunk);
      have += chunk.length;
      if (have < need) return;
      bytes = Buffer.concat(parts, have);
      parts = [];
    }
    let at = 0;
    need = HEAD_BYTES;
    while (bytes.length - at >= HEAD_BYTES) {
      const size = 1 + bytes.readUInt32BE(at + 1);
      if (at + size > bytes.length) {
        need = size;
        break;
      }
      onMessage(bytes, at, at + size);
      at += size;
    }
    have = bytes.length - at;
    if (have > 0) parts = [bytes.subarray(at)];
  };
}

export const TEXT_FRAME = 0x81;
export const PONG_FRAME = 0x8a;

/** A client's WebSocket frame with the required mask; an all-zero mask changes nothing. */
export function clientFrame(opcode: number, payload: Buffer): Buffer {
  const head =
    payload.length < 126
      ? Buffer.from([opcode, 0x80 | payload.length])
      : Buffer.from([opcode, 0x80 | 126, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}

/** 128 random bits as hexadecimal digits; without `randomUUID`, which plain HTTP away from localhost lacks. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

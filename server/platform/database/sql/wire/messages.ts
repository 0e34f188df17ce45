/** Messages of PostgreSQL's protocol 3.0 that a batch of statements needs: written into one buffer, read in place. */

/** First bytes of the messages that a server sends. */
export const ANSWER = {
  parsed: 0x31,
  notification: 0x41,
  command: 0x43,
  row: 0x44,
  error: 0x45,
  emptyStatement: 0x49,
  rowDescription: 0x54,
  ready: 0x5a,
  noRows: 0x6e,
} as const;

/** Type and length. */
export const HEAD_BYTES = 5;

const FIRST_CAPACITY = 16 * 1024;

export interface MessageWriter {
  parse(name: string, text: string): void;
  /** Binds text values to a statement, as the unnamed portal. */
  bind(name: string, values: readonly (string | null)[]): void;
  describePortal(): void;
  execute(): void;
  closeStatement(name: string): void;
  sync(): void;
  /** A copy of everything written since the last call. */
  take(): Buffer;
}

export function messageWriter(): MessageWriter {
  let bytes = Buffer.allocUnsafe(FIRST_CAPACITY);
  let end = 0;

  function reserve(count: number): void {
    if (end + count <= bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(end + count, bytes.length * 2));
    bytes.copy(larger, 0, 0, end);
    bytes = larger;
  }

  function begin(type: string): number {
    reserve(HEAD_BYTES);
    bytes[end] = type.charCodeAt(0);
    end += HEAD_BYTES;
    return end - 4;
  }

  function finish(lengthAt: number): void {
    bytes.writeUInt32BE(end - lengthAt, lengthAt);
  }

  function text(value: string): void {
    // A character of a JavaScript string is at most three bytes of UTF-8.
    reserve(value.length * 3 + 1);
    end += bytes.write(value, end, 'utf8');
    bytes[end++] = 0;
  }

  function int16(value: number): void {
    reserve(2);
    end = bytes.writeUInt16BE(value, end);
  }

  function value(one: string | null): void {
    reserve(4 + (one === null ? 0 : one.length * 3));
    if (one === null) {
      end = bytes.writeInt32BE(-1, end);
      return;
    }
    const written = bytes.write(one, end + 4, 'utf8');
    bytes.writeInt32BE(written, end);
    end += 4 + written;
  }

  return {
    parse(name, statement) {
      const at = begin('P');
      text(name);
      text(statement);
      int16(0); // Each value takes the type that its place in the statement requires.
      finish(at);
    },
    bind(name, values) {
      const at = begin('B');
      text('');
      text(name);
      int16(0);
      int16(values.length);
      for (const one of values) value(one);
      int16(0);
      finish(at);
    },
    describePortal() {
      const at = begin('D');
      text('P'); // The unnamed portal: its kind, then an empty name.
      finish(at);
    },
    execute() {
      const at = begin('E');
      text('');
      reserve(4);
      end = bytes.writeUInt32BE(0, end);
      finish(at);
    },
    closeStatement(name) {
      const at = begin('C');
      text(`S${name}`);
      finish(at);
    },
    sync() {
      finish(begin('S'));
    },
    take() {
      const taken = Buffer.from(bytes.subarray(0, end));
      end = 0;
      if (bytes.length > FIRST_CAPACITY) bytes = Buffer.allocUnsafe(FIRST_CAPACITY);
      return taken;
    },
  };
}

export interface WireColumn {
  name: string;
  typeOid: number;
}

/** @param at  start of the message */
export function readColumns(bytes: Buffer, at: number): WireColumn[] {
  const count = bytes.readUInt16BE(at + HEAD_BYTES);
  let next = at + HEAD_BYTES + 2;
  return Array.from({ length: count }, () => {
    const nameEnd = bytes.indexOf(0, next);
    const name = bytes.toString('utf8', next, nameEnd);
    const typeOid = bytes.readUInt32BE(nameEnd + 7);
    next = nameEnd + 19;
    return { name, typeOid };
  });
}

/** PostgreSQL's letters for the fields of a refusal, and the names that the driver gives them. */
const ERROR_FIELDS: Readonly<Record<string, string>> = {
  S: 'severity_local',
  V: 'severity',
  C: 'code',
  M: 'message',
  D: 'detail',
  H: 'hint',
  P: 'position',
  p: 'internal_position',
  q: 'internal_query',
  W: 'where',
  s: 'schema_name',
  t: 'table_name',
  c: 'column_name',
  d: 'data type_name',
  n: 'constraint_name',
  F: 'file',
  L: 'line',
  R: 'routine',
};

export function readErrorFields(bytes: Buffer, at: number, end: number): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const part of bytes.toString('utf8', at + HEAD_BYTES, end).split('\0')) {
    const name = ERROR_FIELDS[part[0] ?? ''];
    if (name !== undefined) fields[name] = part.slice(1);
  }
  return fields;
}

export function readNotification(bytes: Buffer, at: number, end: number): { channel: string; payload: string } {
  // Four bytes of the sender's process id come first.
  const [channel = '', payload = ''] = bytes.toString('utf8', at + HEAD_BYTES + 4, end).split('\0');
  return { channel, payload };
}

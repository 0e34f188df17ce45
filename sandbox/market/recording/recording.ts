/**
 * Reads recorded candles from a gzip CSV (`time,open,high,low,close,volume`; epoch seconds, UTC, rising). Stores
 * numbers as 64-bit floats, which represent every decimal text of up to 15 digits exactly. Drops and counts bad rows.
 */
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { MINUTE_S } from '#domain/market/candle.ts';

const HEADER = 'time,open,high,low,close,volume';
export const FIELDS = 5;
/** Later times are not epoch seconds of this century, and would make every later row look late. */
const LAST_S = 4_102_444_800;
/** A longer line is not a row. */
const MAX_LINE = 400;
const FIRST_CAPACITY = 1 << 16;

export interface Recording {
  /** Epoch seconds, strictly rising whole minutes. */
  times: Float64Array;
  values: Float64Array;
  dropped: number;
}

/**
 * @param fromS  rows before it are skipped, neither stored nor counted
 * @throws Error when the file is missing, not gzip, cut off, without the header, or mostly bad rows
 */
export async function readRecording(path: string, fromS = 0): Promise<Recording> {
  const rows = new RowBuffer();
  let rest = '';
  let isHeaderSeen = false;

  function take(line: string): void {
    if (!isHeaderSeen) {
      if (line.trim() !== HEADER) throw new Error(`the first line is not '${HEADER}'`);
      isHeaderSeen = true;
    } else if (line !== '' && line !== '\r') rows.add(line, fromS);
  }

  await pipeline(createReadStream(path), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      const lines = (rest + chunk.toString('latin1')).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE) throw new Error('a line is far too long for a candle');
      for (const line of lines) take(line);
    }
  });
  take(rest);
  if (rows.dropped > rows.length) throw new Error(`${rows.dropped} of its rows are malformed`);
  return rows.finish();
}

class RowBuffer {
  length = 0;
  dropped = 0;
  #times = new Float64Array(FIRST_CAPACITY);
  #values = new Float64Array(FIRST_CAPACITY * FIELDS);

  add(line: string, fromS: number): void {
    const cells = line.split(',');
    const [time = Number.NaN, ...row] = cells.map(readNumber);
    if (cells.length !== FIELDS + 1 || !isGoodTime(time, this.#times[this.length - 1] ?? -1) || !isGoodRow(row)) {
      this.dropped += 1;
      return;
    }
    if (time < fromS) return;
    if (this.length === this.#times.length) this.#grow();
    this.#times[this.length] = time;
    this.#values.set(row, this.length * FIELDS);
    this.length += 1;
  }

  finish(): Recording {
    return {
      times: this.#times.slice(0, this.length),
      values: this.#values.slice(0, this.length * FIELDS),
      dropped: this.dropped,
    };
  }

  #grow(): void {
    const times = new Float64Array(this.length * 2);
    times.set(this.#times);
    this.#times = times;
    const values = new Float64Array(this.length * 2 * FIELDS);
    values.set(this.#values);
    this.#values = values;
  }
}

/** Reads an empty cell as NaN, where Number would return 0. */
function readNumber(cell: string): number {
  return cell === '' || cell.trim() === '' ? Number.NaN : Number(cell);
}

function isGoodTime(time: number, lastTime: number): boolean {
  return Number.isInteger(time) && time % MINUTE_S === 0 && time > lastTime && time < LAST_S;
}

function isGoodRow([open = 0, high = 0, low = 0, close = 0, volume = -1]: readonly number[]): boolean {
  const isOrdered = low > 0 && low <= open && low <= close && open <= high && close <= high;
  return isOrdered && Number.isFinite(high) && volume >= 0 && Number.isFinite(volume);
}

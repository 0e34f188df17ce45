/** Writes a small ONNX model in memory, for networks that only a bench needs: nodes, weights, inputs and outputs. */

const IR_VERSION = 8;
const OPSET = 17;
const FLOAT = 1;
const INT64 = 7;
/** Wire types of protobuf. */
const VARINT = 0;
const FIXED_32 = 5;
const BYTES = 2;
/** AttributeProto.type */
const ATTRIBUTE_FLOAT = 1;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;

export type ElementType = 'float' | 'int64';
/** A length, or the name of one that differs between runs. */
export type Dimension = number | string;
type Attribute = number | readonly number[] | { float: number };

export class OnnxGraph {
  readonly #nodes: Uint8Array[] = [];
  readonly #initializers: Uint8Array[] = [];
  readonly #inputs: Uint8Array[] = [];
  readonly #outputs: Uint8Array[] = [];
  #count = 0;

  input(name: string, type: ElementType, dims: readonly Dimension[]): string {
    this.#inputs.push(message(11, valueInfo(name, type, dims)));
    return name;
  }

  /** Names a value as an output of the whole graph. */
  output(value: string, name: string, type: ElementType, dims: readonly Dimension[]): void {
    this.#nodes.push(message(1, nodeBytes('Identity', [value], [name], {})));
    this.#outputs.push(message(12, valueInfo(name, type, dims)));
  }

  floats(data: Float32Array, dims: readonly number[]): string {
    return this.#initializer(FLOAT, data, dims);
  }

  ints(...values: number[]): string {
    return this.#initializer(INT64, BigInt64Array.from(values, BigInt), [values.length]);
  }

  /** @returns the name of the operator's only output */
  op(type: string, inputs: readonly string[], attributes: Record<string, Attribute> = {}): string {
    const name = `v${this.#count++}`;
    this.#nodes.push(message(1, nodeBytes(type, inputs, [name], attributes)));
    return name;
  }

  bytes(): Uint8Array {
    const graph = [...this.#nodes, text(2, 'graph'), ...this.#initializers, ...this.#inputs, ...this.#outputs];
    return joined([varint(1, IR_VERSION), message(8, [varint(2, OPSET)]), message(7, graph)]);
  }

  #initializer(type: number, data: Float32Array | BigInt64Array, dims: readonly number[]): string {
    const name = `w${this.#count++}`;
    const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const tensor = [...dims.map((dim) => varint(1, dim)), varint(2, type), text(8, name), lengthDelimited(9, raw)];
    this.#initializers.push(message(5, tensor));
    return name;
  }
}

function nodeBytes(
  type: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Record<string, Attribute>,
): Uint8Array[] {
  return [
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, type),
    ...Object.entries(attributes).map(([name, value]) => message(5, [text(1, name), ...attributeBytes(value)])),
  ];
}

function attributeBytes(value: Attribute): Uint8Array[] {
  if (typeof value === 'number') return [varint(3, value), varint(20, ATTRIBUTE_INT)];
  if ('float' in value) return [fixed32(2, value.float), varint(20, ATTRIBUTE_FLOAT)];
  return [...value.map((entry) => varint(8, entry)), varint(20, ATTRIBUTE_INTS)];
}

function valueInfo(name: string, type: ElementType, dims: readonly Dimension[]): Uint8Array[] {
  const shape = dims.map((dim) => message(1, [typeof dim === 'number' ? varint(1, dim) : text(2, dim)]));
  const tensor = [varint(1, type === 'float' ? FLOAT : INT64), message(2, shape)];
  return [text(1, name), message(2, [message(1, tensor)])];
}

function message(field: number, parts: readonly Uint8Array[]): Uint8Array {
  return lengthDelimited(field, joined(parts));
}

function text(field: number, value: string): Uint8Array {
  return lengthDelimited(field, new TextEncoder().encode(value));
}

function lengthDelimited(field: number, content: Uint8Array): Uint8Array {
  return joined([number((field << 3) | BYTES), number(content.length), content]);
}

function varint(field: number, value: number): Uint8Array {
  return joined([number((field << 3) | VARINT), number(value)]);
}

function fixed32(field: number, value: number): Uint8Array {
  return joined([number((field << 3) | FIXED_32), new Uint8Array(Float32Array.of(value).buffer)]);
}

/** Seven bits a byte, lowest first; a negative number as its 64-bit complement. */
function number(value: number): Uint8Array {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  do {
    bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

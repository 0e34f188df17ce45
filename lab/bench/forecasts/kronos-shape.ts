/**
 * An autoregressive decoder of the shape that Kronos-small publishes (8 layers of width 512, 8 heads, gated
 * feed-forward of 1024, two-part tokens of 10 bits each, 24.7 million parameters, context 512), with random weights:
 * its output is meaningless, its cost is the same. Two graphs share the weights: one reads the lookback once, one adds
 * a candle.
 */
import { type Dimension, OnnxGraph } from './onnx-graph.ts';

export const LAYERS = 8;
const WIDTH = 512;
const HEADS = 8;
const FEED_FORWARD = 1024;
const VOCABULARY = 1024;
/** Minute, hour, weekday, day and month share one table here. */
const CALENDAR_ENTRIES = 60 + 24 + 7 + 32 + 13;
export const CALENDAR_PARTS = 5;
/** The layer in which the second half of a token attends to the first. */
const SIBLING_HEADS = 4;
const EPSILON = 1e-5;

/** The decoder's cached keys and values: those of the layers in order, then those of the sibling layer. */
export const CACHES = Array.from({ length: LAYERS + 1 }, (_, layer) => {
  const heads = layer < LAYERS ? HEADS : SIBLING_HEADS;
  return { layer, heads, headWidth: WIDTH / heads };
});

/** Weights by name, drawn once and shared by both graphs. */
export class RandomWeights {
  readonly #drawn = new Map<string, Float32Array>();
  #state = 1;

  get parameters(): number {
    return [...this.#drawn.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Uniform, with the deviation that preserves magnitudes through a layer. */
  of(name: string, dims: readonly number[]): Float32Array {
    const known = this.#drawn.get(name);
    if (known !== undefined) return known;
    const weights = new Float32Array(dims.reduce((product, dim) => product * dim, 1));
    const reach = Math.sqrt(3 / (dims[0] ?? 1));
    for (let i = 0; i < weights.length; i++) {
      this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
      weights[i] = reach * (this.#state / 2 ** 31 - 1);
    }
    this.#drawn.set(name, weights);
    return weights;
  }
}

class Decoder {
  readonly graph = new OnnxGraph();
  readonly #weights: RandomWeights;
  readonly #rows: Dimension;

  /** @param rows  tokens that one run reads: minutes of the lookback, or paths */
  constructor(weights: RandomWeights, rows: Dimension) {
    this.#weights = weights;
    this.#rows = rows;
  }

  weight(name: string, ...dims: number[]): string {
    return this.graph.floats(this.#weights.of(name, dims), dims);
  }

  scalar(value: number): string {
    return this.graph.floats(Float32Array.of(value), [1]);
  }

  linear(x: string, name: string, from: number, to: number, hasBias = true): string {
    const product = this.graph.op('MatMul', [x, this.weight(name, from, to)]);
    return hasBias ? this.graph.op('Add', [product, this.weight(`${name}.bias`, to)]) : product;
  }

  normalised(x: string, name: string): string {
    const { graph } = this;
    const mean = graph.op('ReduceMean', [graph.op('Mul', [x, x])], { axes: [-1], keepdims: 1 });
    const root = graph.op('Sqrt', [graph.op('Add', [mean, this.scalar(EPSILON)])]);
    return graph.op('Mul', [graph.op('Div', [x, root]), this.weight(name, WIDTH)]);
  }

  /** Both halves of the token and the calendar, [rows, WIDTH]; the calendar is [rows or 1, 5]. */
  embedded(): string {
    const { graph } = this;
    const s1 = graph.op('Gather', [this.weight('s1', VOCABULARY, WIDTH), graph.input('s1', 'int64', [this.#rows])]);
    const s2 = graph.op('Gather', [this.weight('s2', VOCABULARY, WIDTH), graph.input('s2', 'int64', [this.#rows])]);
    const token = this.linear(graph.op('Concat', [s1, s2], { axis: -1 }), 'fusion', 2 * WIDTH, WIDTH);
    const places = graph.input('calendar', 'int64', ['moments', CALENDAR_PARTS]);
    const parts = graph.op('Gather', [this.weight('calendar', CALENDAR_ENTRIES, WIDTH), places]);
    return graph.op('Add', [token, graph.op('ReduceSum', [parts, graph.ints(1)], { keepdims: 0 })]);
  }

  /** [rows, heads, width of a head], rotated by its position in time. */
  heads(x: string, name: string, heads: number, isTurned: boolean): string {
    const { graph } = this;
    const width = WIDTH / heads;
    const split = graph.op('Reshape', [this.linear(x, name, WIDTH, WIDTH), graph.ints(0, heads, width)]);
    if (!isTurned) return split;
    const first = graph.op('Slice', [split, graph.ints(0), graph.ints(width / 2), graph.ints(2)]);
    const second = graph.op('Slice', [split, graph.ints(width / 2), graph.ints(width), graph.ints(2)]);
    const turned = graph.op('Concat', [graph.op('Neg', [second]), first], { axis: -1 });
    const straight = graph.op('Mul', [split, `cos${width}`]);
    return graph.op('Add', [straight, graph.op('Mul', [turned, `sin${width}`])]);
  }

  feedForward(x: string, layer: number): string {
    const { graph } = this;
    const inner = this.normalised(x, `norm2.${layer}`);
    const gate = this.linear(inner, `w1.${layer}`, WIDTH, FEED_FORWARD, false);
    const open = graph.op('Mul', [gate, graph.op('Sigmoid', [gate])]);
    const product = graph.op('Mul', [open, this.linear(inner, `w3.${layer}`, WIDTH, FEED_FORWARD, false)]);
    return graph.op('Add', [x, this.linear(product, `w2.${layer}`, FEED_FORWARD, WIDTH, false)]);
  }

  /** Inputs that rotate heads by their position: [moments, 1, width]. */
  turningInputs(): void {
    for (const width of new Set(CACHES.map(({ headWidth }) => headWidth))) {
      this.graph.input(`cos${width}`, 'float', ['moments', 1, width]);
      this.graph.input(`sin${width}`, 'float', ['moments', 1, width]);
    }
  }
}

/** Reads the whole lookback. Outputs keys [heads, width, minutes] and values [heads, minutes, width] of every cache. */
export function lookbackGraph(weights: RandomWeights, minutes: number): Uint8Array {
  const decoder = new Decoder(weights, minutes);
  const { graph } = decoder;
  decoder.turningInputs();
  const mask = new Float32Array(minutes * minutes);
  for (let i = 0; i < minutes; i++) mask.fill(-1e9, i * minutes + i + 1, (i + 1) * minutes);
  const causal = graph.floats(mask, [minutes, minutes]);
  const keep = (layer: number, heads: number, key: string, value: string): [string, string] => {
    const keys = graph.op('Transpose', [key], { perm: [1, 2, 0] });
    const values = graph.op('Transpose', [value], { perm: [1, 0, 2] });
    graph.output(keys, `keys.${layer}`, 'float', [heads, WIDTH / heads, minutes]);
    graph.output(values, `values.${layer}`, 'float', [heads, minutes, WIDTH / heads]);
    return [keys, values];
  };
  let x = decoder.embedded();
  for (let layer = 0; layer < LAYERS; layer++) {
    const inner = decoder.normalised(x, `norm1.${layer}`);
    const query = decoder.heads(inner, `q.${layer}`, HEADS, true);
    const key = decoder.heads(inner, `k.${layer}`, HEADS, true);
    const [keys, values] = keep(layer, HEADS, key, decoder.heads(inner, `v.${layer}`, HEADS, false));
    const scores = graph.op('MatMul', [graph.op('Transpose', [query], { perm: [1, 0, 2] }), keys]);
    const scaled = graph.op('Mul', [scores, decoder.scalar(1 / Math.sqrt(WIDTH / HEADS))]);
    const shares = graph.op('Softmax', [graph.op('Add', [scaled, causal])], { axis: -1 });
    const seen = graph.op('Transpose', [graph.op('MatMul', [shares, values])], { perm: [1, 0, 2] });
    const flat = graph.op('Reshape', [seen, graph.ints(0, WIDTH)]);
    x = graph.op('Add', [x, decoder.linear(flat, `o.${layer}`, WIDTH, WIDTH)]);
    x = decoder.feedForward(x, layer);
  }
  const hidden = decoder.normalised(x, 'norm');
  const key = decoder.heads(hidden, `k.${LAYERS}`, SIBLING_HEADS, true);
  keep(LAYERS, SIBLING_HEADS, key, decoder.heads(hidden, `v.${LAYERS}`, SIBLING_HEADS, false));
  return graph.bytes();
}

/**
 * All paths share the lookback's keys and values; each path caches only its own candles (`past.*` in, `present.*` out).
 */
export function stepGraph(weights: RandomWeights, minutes: number): Uint8Array {
  const decoder = new Decoder(weights, 'paths');
  const { graph } = decoder;
  decoder.turningInputs();
  for (const { layer, heads, headWidth } of CACHES) {
    graph.input(`keys.${layer}`, 'float', [heads, headWidth, minutes]);
    graph.input(`values.${layer}`, 'float', [heads, minutes, headWidth]);
    graph.input(`past.keys.${layer}`, 'float', ['paths', heads, 'drawn', headWidth]);
    graph.input(`past.values.${layer}`, 'float', ['paths', heads, 'drawn', headWidth]);
  }
  const attended = (query: string, source: string, layer: number, heads: number): string => {
    const width = WIDTH / heads;
    const present = (kind: 'k' | 'v', isTurned: boolean): string => {
      const fresh = decoder.heads(source, `${kind}.${layer}`, heads, isTurned);
      const name = kind === 'k' ? `keys.${layer}` : `values.${layer}`;
      const all = graph.op('Concat', [`past.${name}`, graph.op('Unsqueeze', [fresh, graph.ints(2)])], { axis: 2 });
      graph.output(all, `present.${name}`, 'float', ['paths', heads, 'drawn+1', width]);
      return all;
    };
    const ownKeys = present('k', true);
    const ownValues = present('v', false);
    const byHead = graph.op('Transpose', [query], { perm: [1, 0, 2] });
    const shared = graph.op('MatMul', [byHead, `keys.${layer}`]);
    const column = graph.op('Unsqueeze', [query, graph.ints(3)]);
    const own = graph.op('Squeeze', [graph.op('MatMul', [ownKeys, column]), graph.ints(3)]);
    const scores = graph.op('Concat', [shared, graph.op('Transpose', [own], { perm: [1, 0, 2] })], { axis: -1 });
    const scaled = graph.op('Mul', [scores, decoder.scalar(1 / Math.sqrt(width))]);
    const shares = graph.op('Softmax', [scaled], { axis: -1 });
    const ofShared = graph.op('Slice', [shares, graph.ints(0), graph.ints(minutes), graph.ints(2)]);
    const ofOwn = graph.op('Slice', [shares, graph.ints(minutes), graph.ints(1e9), graph.ints(2)]);
    const row = graph.op('Unsqueeze', [graph.op('Transpose', [ofOwn], { perm: [1, 0, 2] }), graph.ints(2)]);
    const fromOwn = graph.op('Squeeze', [graph.op('MatMul', [row, ownValues]), graph.ints(2)]);
    const fromShared = graph.op('Transpose', [graph.op('MatMul', [ofShared, `values.${layer}`])], { perm: [1, 0, 2] });
    const flat = graph.op('Reshape', [graph.op('Add', [fromShared, fromOwn]), graph.ints(0, WIDTH)]);
    return decoder.linear(flat, `o.${layer}`, WIDTH, WIDTH);
  };
  let x = decoder.embedded();
  for (let layer = 0; layer < LAYERS; layer++) {
    const inner = decoder.normalised(x, `norm1.${layer}`);
    const query = decoder.heads(inner, `q.${layer}`, HEADS, true);
    x = graph.op('Add', [x, attended(query, inner, layer, HEADS)]);
    x = decoder.feedForward(x, layer);
  }
  const hidden = decoder.normalised(x, 'norm');
  const first = drawnToken(decoder, hidden, 'head1');
  const sibling = graph.op('Gather', [decoder.weight('s1', VOCABULARY, WIDTH), first]);
  const query = decoder.heads(sibling, `q.${LAYERS}`, SIBLING_HEADS, true);
  const both = graph.op('Add', [hidden, attended(query, hidden, LAYERS, SIBLING_HEADS)]);
  const second = drawnToken(decoder, decoder.normalised(both, 'norm.sibling'), 'head2');
  graph.output(first, 'next.s1', 'int64', ['paths']);
  graph.output(second, 'next.s2', 'int64', ['paths']);
  return graph.bytes();
}

/** A draw from the softmax of the logits: the largest of logits plus Gumbel noise. */
function drawnToken(decoder: Decoder, x: string, head: string): string {
  const { graph } = decoder;
  const logits = decoder.linear(x, head, WIDTH, VOCABULARY);
  const even = graph.op('RandomUniformLike', [logits], { low: { float: 1e-6 }, high: { float: 1 - 1e-6 } });
  const gumbel = graph.op('Neg', [graph.op('Log', [graph.op('Neg', [graph.op('Log', [even])])])]);
  return graph.op('ArgMax', [graph.op('Add', [logits, gumbel])], { axis: -1, keepdims: 0 });
}

/** What was drawn from a view: documents, files and pictures, each once, for as long as the view is stored. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'hono';
import type { ForecastView } from '#domain/share/forecast-view.ts';
import { chooseEncoding, type Encoding } from '../../platform/http/assets/site-documents.ts';
import { isKnown } from '../../platform/http/calls/prepared-json.ts';

export interface DrawnForm {
  bodies: Readonly<Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>>;
  identity: Uint8Array<ArrayBuffer>;
  eTag: string;
  type: string;
}

export interface DrawnForms {
  /** @param name  of the form, unique among those of a view. `draw` is called once, unless it fails */
  of(view: ForecastView, name: string, draw: () => DrawnForm | Promise<DrawnForm>): Promise<DrawnForm>;
}

export function drawnForms(): DrawnForms {
  const drawn = new WeakMap<ForecastView, Map<string, Promise<DrawnForm>>>();
  const formsOf = (view: ForecastView): Map<string, Promise<DrawnForm>> => {
    const known = drawn.get(view) ?? new Map<string, Promise<DrawnForm>>();
    drawn.set(view, known);
    return known;
  };
  return {
    of(view, name, draw) {
      const forms = formsOf(view);
      const known = forms.get(name);
      if (known !== undefined) return known;
      const form = Promise.resolve().then(draw);
      forms.set(name, form);
      form.catch(() => forms.delete(name));
      return form;
    },
  };
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const TEXT = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

/** @param type  value of Content-Type */
export async function textForm(text: string, type: string): Promise<DrawnForm> {
  const identity = new Uint8Array(Buffer.from(text));
  const [br, gz] = await Promise.all([brotli(identity, TEXT), gzipped(identity)]);
  return { identity, bodies: { br: new Uint8Array(br), gzip: new Uint8Array(gz) }, eTag: tagOf(identity), type };
}

export function pictureForm(png: Uint8Array<ArrayBuffer>): DrawnForm {
  return { identity: png, bodies: {}, eTag: tagOf(png), type: 'image/png' };
}

/** Weak: it names the content, whatever its compression. */
function tagOf(bytes: Uint8Array): string {
  return `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
}

/** Answers 304 to clients that already have it. */
export function answerForm(
  c: Context,
  { bodies, identity, eTag, type }: DrawnForm,
  { caching, status = 200 }: { caching: string; status?: 200 | 404 | 503 },
): Response {
  const headers: Record<string, string> = { 'cache-control': caching, etag: eTag, vary: 'accept-encoding' };
  if (status === 200 && isKnown(c.req.header('if-none-match'), eTag)) return c.body(null, 304, headers);
  const encoding = chooseEncoding(c.req.header('accept-encoding'));
  const body = bodies[encoding];
  if (body === undefined) return c.body(identity, status, { ...headers, 'content-type': type });
  return c.body(body, status, { ...headers, 'content-type': type, 'content-encoding': encoding });
}

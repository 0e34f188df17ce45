/** HTML as a template string: inserted values are escaped, unless they come from the same template. */
import { escapeHtml } from '#domain/format/escape-html.ts';

export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Content = string | number | Markup | readonly Content[];

export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(strings.map((part, index) => part + textOf(values[index] ?? '')).join(''));
}

function textOf(value: Content): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(textOf).join('');
}

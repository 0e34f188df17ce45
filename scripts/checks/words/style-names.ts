import type { TextLine } from './private-words.ts';

const NAME = /(?:(?<![\w-])\.|--|@keyframes )(?<name>[a-zA-Z][\w-]*)/g;

/** Classes, custom properties and animations of a style sheet, each time that they appear. */
export function styleNames(css: string): TextLine[] {
  return css
    .split('\n')
    .flatMap((text, index) =>
      [...text.matchAll(NAME)].map(({ groups }) => ({ line: index + 1, text: groups?.name ?? '' })),
    );
}

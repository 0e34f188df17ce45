export interface TextLine {
  /** Counted from 1. */
  line: number;
  /** Without markup. */
  text: string;
}

export interface WrongForm {
  found: string;
  /** What to write. */
  replacement: string;
}

/** @returns a message for each line with a wrong form: file, line, the form and what to write */
export function formFaults(
  file: string,
  lines: readonly TextLine[],
  find: (text: string) => WrongForm | null,
): string[] {
  return lines.flatMap(({ line, text }) => {
    const wrong = find(text);
    return wrong === null ? [] : [`${file}:${line}: '${wrong.found}': write ${wrong.replacement}`];
  });
}

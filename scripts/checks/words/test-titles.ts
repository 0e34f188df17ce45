/** Titles of tests: what the subject does, as a verb in the present tense. */
import type { TestTitle } from './source-words.ts';

/** An article, a pronoun, a number, a preposition or a conjunction begins no such title. */
const NO_VERB =
  /^(?:an?|the|this|that|these|those|its?|they|who|what|which|where|when|while|until|once|after|before|without|with|within|of|in|on|at|by|for|from|to|as|if|and|no|none|nothing|not|each|every|all|any|some|many|more|several|another|one|two|three|four|five|ten|\d+)\b/i;
/** The row of a repeated test, with a colon behind it. */
const ROW = /^(?:%\w|\w+)(?:, %\w)*: /;

/** @returns a message for each title of a test that begins with no verb: file, line and title */
export function titleFaults(file: string, titles: readonly TestTitle[]): string[] {
  const wrong = titles.filter(({ kind, text }) => kind === 'test' && NO_VERB.test(text.replace(ROW, '')));
  return wrong.map(({ line, text }) => `${file}:${line}: begin '${text}' with a verb in the present tense`);
}

/** Titles: a test's says what the subject does, as a verb in the present tense; a group's names the subject. */
import type { TestTitle } from './source-words.ts';

/** An article, a pronoun, a number, a preposition or a conjunction begins no such title. */
const NO_VERB =
  /^(?:an?|the|this|that|these|those|its?|they|who|what|which|where|when|while|until|once|after|before|without|with|within|of|in|on|at|by|for|from|to|as|if|and|no|none|nothing|not|each|every|all|any|some|many|more|several|another|one|two|three|four|five|ten|\d+)\b/i;
/** The row of a repeated test, with a colon behind it. */
const ROW = /^(?:%\w|\w+)(?:, %\w)*: /;

/** A condition or a question names no subject. */
const NO_THING =
  /^(?:with|within|without|under|over|on|in|before|after|at|when|while|what|which|who|where|how|if|is|of|for|by)\b/i;

/** @returns a message for each title that begins with no verb, or names no thing: file, line and title */
export function titleFaults(file: string, titles: readonly TestTitle[]): string[] {
  return titles.flatMap(({ kind, line, text }) => {
    if (kind === 'describe')
      return NO_THING.test(text) ? [`${file}:${line}: name the subject of the group '${text}'`] : [];
    const isWrong = NO_VERB.test(text.replace(ROW, ''));
    return isWrong ? [`${file}:${line}: begin '${text}' with a verb in the present tense`] : [];
  });
}

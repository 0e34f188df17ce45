/** The newest answer to a question that changes while a line moves. It is sent again as the price moves. */
import { useEffect, useRef, useState } from 'react';
import { type LatestAnswer, latestAnswer } from './latest-answer.ts';

/** Between two answers to the same question: the price moves, and the running bar ends. */
const AGAIN_MS = 5000;

export interface AnswerState<Answer> {
  /** Of this question, or until it is answered of the one before; null at first. */
  answer: Answer | null;
  /** The question of `answer` is not the newest. */
  isPending: boolean;
  /** Why the newest question has no answer. */
  failure: unknown;
}

const NOTHING = { answer: null, isPending: true, failure: null } as const;

/**
 * @param question  null: nothing is sent  @param fetchAnswer  the same function from render to render
 * @returns the state, and a function that sends it again
 */
export function useAnswer<Question, Answer>(
  question: Question | null,
  fetchAnswer: (question: Question, signal: AbortSignal) => Promise<Answer>,
): [state: AnswerState<Answer>, again: () => void] {
  const [state, setState] = useState<AnswerState<Answer>>(NOTHING);
  const asker = useRef<LatestAnswer<Question> | null>(null);
  const newest = useRef(question);
  newest.current = question;
  const again = () => {
    if (newest.current !== null && !document.hidden) asker.current?.ask(newest.current);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` reads references
  useEffect(() => {
    const own = latestAnswer<Question, Answer>({
      fetch: fetchAnswer,
      onAnswer: (answer, _question, isNewest) => setState({ answer, isPending: !isNewest, failure: null }),
      onFailure: (failure) => setState((old) => ({ ...old, isPending: false, failure })),
    });
    asker.current = own;
    const timer = setInterval(again, AGAIN_MS);
    document.addEventListener('visibilitychange', again);
    return () => {
      own.stop();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, [fetchAnswer]);

  const key = JSON.stringify(question);
  // biome-ignore lint/correctness/useExhaustiveDependencies: by its content, not by its object
  useEffect(() => {
    if (question === null) return;
    setState((old) => ({ ...old, isPending: true }));
    asker.current?.ask(question);
  }, [key]);

  return [state, again];
}

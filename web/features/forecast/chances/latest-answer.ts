/** Sends questions while they change, at most so often, and shows the answer to the newest one that has arrived. */

/** Four requests a second. */
export const SEND_EVERY_MS = 250;
/** A slow server gets no more questions at the same time; the oldest is given up for the newest. */
const MOST_OPEN = 4;

export interface AnswerPorts<Question, Answer> {
  fetch(question: Question, signal: AbortSignal): Promise<Answer>;
  /** Of a question that is newer than every other answered one. @param isNewest  no newer question is open */
  onAnswer(answer: Answer, question: Question, isNewest: boolean): void;
  /** Only of the newest question: a failure of an older one no longer matters. */
  onFailure(error: unknown, question: Question): void;
  nowMs?(): number;
}

export interface LatestAnswer<Question> {
  ask(question: Question): void;
  stop(): void;
}

/** The last answer wins: one that arrives after the answer to a newer question is dropped. */
export function latestAnswer<Question, Answer>(ports: AnswerPorts<Question, Answer>): LatestAnswer<Question> {
  const { nowMs = () => performance.now() } = ports;
  const open = new Map<number, AbortController>();
  let sent = 0;
  let answered = 0;
  let sentAtMs = Number.NEGATIVE_INFINITY;
  let waiting: Question | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function send(question: Question): void {
    sentAtMs = nowMs();
    sent += 1;
    const number = sent;
    const abort = new AbortController();
    open.set(number, abort);
    for (const [old, request] of [...open].slice(0, -MOST_OPEN)) give(old, request);
    ports
      .fetch(question, abort.signal)
      .then(
        (answer) => {
          if (abort.signal.aborted || number < answered) return;
          answered = number;
          for (const [old, request] of open) if (old < number) give(old, request);
          ports.onAnswer(answer, question, number === sent && waiting === null);
        },
        (error: unknown) => {
          if (!abort.signal.aborted && number === sent && waiting === null) ports.onFailure(error, question);
        },
      )
      .finally(() => open.delete(number));
  }

  function give(number: number, request: AbortController): void {
    open.delete(number);
    request.abort();
  }

  function flush(): void {
    timer = undefined;
    if (waiting === null) return;
    const question = waiting;
    waiting = null;
    send(question);
  }

  return {
    ask(question) {
      waiting = question;
      if (timer !== undefined) return;
      const waitMs = sentAtMs + SEND_EVERY_MS - nowMs();
      if (waitMs <= 0) flush();
      else timer = setTimeout(flush, waitMs);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
      waiting = null;
      for (const [number, request] of open) give(number, request);
    },
  };
}

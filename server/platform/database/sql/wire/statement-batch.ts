/**
 * Several statements in one message to the server, with a single synchronisation at their end: PostgreSQL runs them as
 * one transaction, which commits there, or as a whole leaves nothing behind.
 */
import postgres from 'postgres';
import type { Row } from '../../database.ts';
import type { SqlValue } from '../sql-values.ts';
import type { OnMessage } from './message-stream.ts';
import { ANSWER, HEAD_BYTES, messageWriter, readColumns, readErrorFields, type WireColumn } from './messages.ts';

export interface BatchStep {
  text: string;
  values: readonly SqlValue[];
  /** The server stores the statement's plan in this session under this name of ours; null: parsed each time. */
  planKey: string | null;
  /** Its rows are not wanted. */
  dropsRows?: boolean;
}

export type ParserOf = (typeOid: number) => ValueParser | undefined;

/** As the driver has them: one for an array gets its text without the opening brace. */
export type ValueParser = ((text: string) => unknown) & { array?: boolean };

export interface StatementBatch {
  bytes: Buffer;
  /** @returns true once the server is ready again */
  read(...message: Parameters<OnMessage>): boolean;
  /** The rows of all steps that keep them. @throws postgres.PostgresError the first refusal */
  rows(): Row[];
}

export interface BatchMaker {
  make(steps: readonly BatchStep[]): StatementBatch;
  /** After a refusal because of a stored plan, for example after a change of the schema: the same may be sent again. */
  forgetPlans(): void;
}

/** Of one session. Each costs the server memory, so the one unused for longest is closed. */
const MAX_PLANS = 40;
/** A longer statement is not stored. */
const MAX_PLANNED_CHARS = 8 * 1024;

interface Plan {
  name: string;
  /** The server has it: in the messages on the way it can be used as if it had. */
  isStored: boolean;
  /** Null until the server first described it. */
  columns: ParsedColumn[] | null;
}

interface ParsedColumn {
  name: string;
  parser: ValueParser | undefined;
}

interface SentStep {
  plan: Plan | null;
  dropsRows: boolean;
  columns: ParsedColumn[] | null;
}

/** @param parserOf  returns undefined for a type whose text is the value */
export function batchMaker(parserOf: ParserOf): BatchMaker {
  const plans = new Map<string, Plan>();
  const writer = messageWriter();
  let unwanted: string[] = [];
  let planCount = 0;

  function planOf(key: string): Plan {
    const plan = plans.get(key) ?? newPlan();
    // The last one is the one used most recently.
    plans.delete(key);
    plans.set(key, plan);
    return plan;
  }

  function newPlan(): Plan {
    planCount += 1;
    return { name: `kat_${planCount}`, isStored: false, columns: null };
  }

  function closeOldest(): void {
    for (const [key, { name }] of plans) {
      if (plans.size <= MAX_PLANS) return;
      plans.delete(key);
      unwanted.push(name);
    }
  }

  function write({ text, values, planKey, dropsRows = false }: BatchStep): SentStep {
    const plan = planKey === null || text.length > MAX_PLANNED_CHARS ? null : planOf(planKey);
    const name = plan?.name ?? '';
    if (plan === null || !plan.isStored) writer.parse(name, text);
    writer.bind(name, values);
    const columns = plan?.isStored ? plan.columns : null;
    if (columns === null && !dropsRows) writer.describePortal();
    writer.execute();
    return { plan, dropsRows, columns };
  }

  function make(steps: readonly BatchStep[]): StatementBatch {
    // First, so that no refusal can keep the server from closing them.
    for (const name of unwanted) writer.closeStatement(name);
    unwanted = [];
    const sent = steps.map(write);
    writer.sync();
    closeOldest();
    return reading(writer.take(), sent, (typed) =>
      typed.map(({ name, typeOid }) => ({ name, parser: parserOf(typeOid) })),
    );
  }

  function forgetPlans(): void {
    unwanted.push(...[...plans.values()].map(({ name }) => name));
    plans.clear();
  }

  return { make, forgetPlans };
}

function reading(
  bytes: Buffer,
  sent: readonly SentStep[],
  parsed: (columns: WireColumn[]) => ParsedColumn[],
): StatementBatch {
  const found: Row[] = [];
  let refusal: postgres.PostgresError | null = null;
  let nth = 0;
  /** Steps that the server parsed; a stored one sends no such message. */
  const unparsed = sent.filter(({ plan }) => plan === null || !plan.isStored);

  function describe(columns: ParsedColumn[]): void {
    const step = sent[nth];
    if (step === undefined) return;
    step.columns = columns;
    if (step.plan !== null) step.plan.columns = columns;
  }

  function read(message: Buffer, at: number, end: number): boolean {
    switch (message[at]) {
      case ANSWER.parsed: {
        const plan = unparsed.shift()?.plan;
        if (plan) plan.isStored = true;
        return false;
      }
      case ANSWER.rowDescription:
        describe(parsed(readColumns(message, at)));
        return false;
      case ANSWER.noRows:
        describe([]);
        return false;
      case ANSWER.row: {
        const step = sent[nth];
        if (step !== undefined && !step.dropsRows) found.push(readRow(message, at, step.columns ?? []));
        return false;
      }
      case ANSWER.command:
      case ANSWER.emptyStatement:
        nth += 1;
        return false;
      case ANSWER.error:
        refusal ??= refusalOf(readErrorFields(message, at, end));
        return false;
      default:
        return message[at] === ANSWER.ready;
    }
  }

  return {
    bytes,
    read,
    rows() {
      if (refusal !== null) throw refusal;
      return found;
    },
  };
}

function readRow(bytes: Buffer, at: number, columns: readonly ParsedColumn[]): Row {
  const row: Row = {};
  let next = at + HEAD_BYTES + 2;
  for (const { name, parser } of columns) {
    const length = bytes.readInt32BE(next);
    next += 4;
    if (length < 0) {
      row[name] = null;
      continue;
    }
    const text = bytes.toString('utf8', parser?.array === true ? next + 1 : next, next + length);
    row[name] = parser === undefined ? text : parser(text);
    next += length;
  }
  return row;
}

/** The driver's class, whose constructor its types leave out. */
function refusalOf(fields: Record<string, string>): postgres.PostgresError {
  const Refusal = postgres.PostgresError as unknown as new (fields: Record<string, string>) => postgres.PostgresError;
  return new Refusal(fields);
}

/** In `RevalidateCachedQuery`: a stored plan's columns changed with the schema. `FetchPreparedStatement`: the server deleted it. */
const PLAN_ROUTINES = new Set(['RevalidateCachedQuery', 'FetchPreparedStatement']);

export function isPlanRefusal(error: unknown): boolean {
  return error instanceof postgres.PostgresError && PLAN_ROUTINES.has(error.routine ?? '');
}

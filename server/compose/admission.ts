/** Admission control for this process, by the waits for the database and password hashes and the event loop's load. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WORK_CLASSES, type WorkClass } from '#domain/errors/shed.ts';
import type { OverloadFacts } from '#domain/operations/operations-state.ts';
import { bookPace } from '../market/books/book-pace.ts';
import { type Backlog, type ClassRule, openAdmission } from '../platform/admission/admission.ts';
import { lateAnswers } from '../platform/admission/early-retries.ts';
import { openLoopMeter } from '../platform/admission/loop-meter.ts';
import { answerShed, refuseUpgrade } from '../platform/admission/shed-answer.ts';
import type { Pooled } from '../platform/database/session-pool.ts';
import { callerAddress } from '../platform/http/guards/forwarded-address.ts';
import { withRequester } from '../platform/http/requester.ts';
import { PATIENT_RULES, WORK_RULES, workClassOf } from '../work-classes.ts';

export interface ProcessAdmission {
  /** Starts the work on a request now or in its turn, or refuses it. */
  admitRequest(request: IncomingMessage, response: ServerResponse, work: () => void): void;
  /** The same for opening a WebSocket. */
  admitUpgrade(request: IncomingMessage, socket: Duplex, work: () => void): void;
  /** True while no statement waits for a database session. */
  isDatabaseFree(): boolean;
  /** The event loop has been full for a while. */
  isLoopFull(): boolean;
  /** Minimum time between two updates of an order book, milliseconds; 0: every change. */
  bookEveryMs(): number;
  /** Registers who reads tokens. Until a token is verified, its request counts as its address's. */
  identifyBy(read: (token: string) => Promise<string | null>): void;
  /** Registers where work of a class waits after admission. */
  watch(name: WorkClass, backlog: () => Backlog): void;
  facts(): OverloadFacts;
  close(): void;
}

/** Waiting statements that count as pressure on PGlite's one session, where they are short; for a pool, its size. */
const SINGLE_SESSION_LIMIT = 16;

const NO_BACKLOG: Backlog = { waiting: 0, expectedMs: 0 };

export interface ProcessAdmissionOptions {
  database: Partial<Pooled>;
  trustedProxies: number;
  /** Nothing is refused for load, and books do not thin out. */
  isPatient?: boolean;
  /** Default: the product's rules. */
  rules?: Readonly<Record<WorkClass, ClassRule>>;
}

export function openProcessAdmission(options: ProcessAdmissionOptions): ProcessAdmission {
  const { database, trustedProxies, isPatient = false } = options;
  const rules = isPatient ? PATIENT_RULES : (options.rules ?? WORK_RULES);
  const backlogs = new Map<WorkClass, () => Backlog>();
  const waitingForDatabase = (): number => database.pool?.().waiting ?? 0;
  const sessions = database.pool?.().size ?? 1;
  const waitingLimit = sessions === 1 ? SINGLE_SESSION_LIMIT : sessions;
  const pace = bookPace();
  const bookEveryMs = isPatient ? () => 0 : pace.everyMs;
  const isLoopFull = (): boolean => bookEveryMs() > 0;
  const admission = openAdmission({
    rules,
    backlog: (name) => backlogs.get(name)?.() ?? NO_BACKLOG,
    isDatabaseSaturated: () => waitingForDatabase() >= waitingLimit,
    isLoopSaturated: isLoopFull,
    nowMs: () => performance.now(),
    random: Math.random,
  });
  // At half the limit, so that several requests start together.
  database.onQueueMoved?.(() => {
    if (waitingForDatabase() <= waitingLimit / 2) admission.resume();
  });
  const meter = openLoopMeter((window) => pace.record(window, admission.isBehind()));
  const users = verifiedUsers();
  const probes = lateAnswers(() => performance.now());

  /** Monitoring is never refused; an address that does not stop is answered late. */
  function answerProbe(request: IncomingMessage, response: ServerResponse, work: () => void): void {
    probes.send(callerAddress(request, trustedProxies), () => response.destroyed || work());
  }

  function take(name: WorkClass, request: IncomingMessage, response: ServerResponse, work: () => void): void {
    const userId = users.known(request);
    const owner = userId ?? callerAddress(request, trustedProxies);
    admission.take({
      name,
      owner: () => owner,
      hasLeft: () => response.destroyed,
      refuse: (retryAfterS) => answerShed(request, response, { name, retryAfterS }),
      work: () => withRequester({ owner: owner ?? 'local', isForecast: userId !== null }, work),
    });
  }

  return {
    admitRequest(request, response, work) {
      const name = workClassOf(request);
      if (name === null) answerProbe(request, response, work);
      else if (name !== 'stream') take(name, request, response, work);
      else
        void users.identify(request).then((userId) => {
          // It was admitted before, and its viewer now sees a frozen chart.
          const isResumed = userId !== null && request.headers['last-event-id'] !== undefined;
          if (!isResumed) take(name, request, response, work);
          else if (!response.destroyed) withRequester({ owner: userId, isForecast: true }, work);
        });
    },
    identifyBy: users.identifyBy,
    admitUpgrade(request, socket, work) {
      admission.take({
        name: 'socket',
        owner: () => callerAddress(request, trustedProxies),
        hasLeft: () => socket.destroyed,
        refuse: (retryAfterS) => refuseUpgrade(socket, retryAfterS),
        work,
      });
    },
    isDatabaseFree: () => waitingForDatabase() === 0,
    isLoopFull,
    bookEveryMs,
    watch: (name, backlog) => void backlogs.set(name, backlog),
    facts() {
      const { isShedding, classes } = admission.state();
      return {
        isShedding,
        bookEveryMs: bookEveryMs(),
        utilization: meter.last().utilization,
        classes: WORK_CLASSES.map((name) => ({ name, ...classes[name] })),
      };
    },
    close: meter.close,
  };
}

/** Users of streams by their tokens, which are the same from a hundred tabs or addresses. An invented token has none. */
function verifiedUsers() {
  const byRequest = new WeakMap<IncomingMessage, string>();
  let read: (token: string) => Promise<string | null> = async () => null;
  return {
    known: (request: IncomingMessage): string | null => byRequest.get(request) ?? null,
    identifyBy(reader: typeof read) {
      read = reader;
    },
    async identify(request: IncomingMessage): Promise<string | null> {
      const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
      // The request itself is answered later, with the reason.
      const userId = token === undefined ? null : await read(token).catch(() => null);
      if (userId !== null) byRequest.set(request, `user ${userId}`);
      return userId;
    },
  };
}

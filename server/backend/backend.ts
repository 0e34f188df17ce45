/** What answers the client library behind our own origin: our gateway (embedded.ts), or a project that it is sent on to (hosted.ts). */
import type { Hono } from 'hono';
import type { PublicConfig } from '#domain/config/public-config.ts';
import type { SessionMemory, TokenVerifier } from '../platform/http/calls/caller.ts';
import type { ReadinessCheck } from '../platform/http/health.ts';

export interface Backend {
  /** /auth/v1, /rest/v1 and /storage/v1. */
  routes: Hono;
  /** Asked by the server functions and the chart API, which are ours whatever the backend. */
  verifier: TokenVerifier & SessionMemory;
  /** For browsers; not a secret. Read anew each time: a rotation of the keys changes it. */
  anonKey: string;
  /** What must answer before the server is ready, besides the database. */
  readiness: readonly ReadinessCheck[];
  /** Which providers people may sign in through; absent where the settings decide. */
  providerKinds?(): Promise<PublicConfig['providers']>;
  /** How long a password waits to be hashed, milliseconds; absent where that is done elsewhere. */
  hashWaitMs?(): number;
  close(): Promise<void>;
}

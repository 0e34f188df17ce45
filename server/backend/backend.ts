/** Our gateway (embedded.ts), or a hosted project that requests are forwarded to (hosted.ts). */
import type { Hono } from 'hono';
import type { PublicConfig } from '#domain/config/public-config.ts';
import type { Backlog } from '../platform/admission/admission.ts';
import type { SessionMemory, TokenVerifier } from '../platform/http/calls/caller.ts';
import type { ReadinessCheck } from '../platform/http/health.ts';

export interface Backend {
  routes: Hono;
  /** Used by the server functions and the chart API, which we serve whatever the backend. */
  verifier: TokenVerifier & SessionMemory;
  /** For browsers; not a secret. Read it each time, because a key rotation changes it. */
  anonKey: string;
  /** What must respond before the server is ready, besides the database. */
  readiness: readonly ReadinessCheck[];
  /** The available sign-in providers; absent if the settings decide. */
  providerKinds?(): Promise<PublicConfig['providers']>;
  /** For the deletion of an account by its owner; absent if another service stores passwords and files. */
  accounts?: {
    isPassword(password: string, storedHash: string, requester: { address: string }): Promise<boolean>;
    removeFile(version: string): Promise<void>;
  };
  /** Passwords that wait to be hashed; absent if hashing happens elsewhere. */
  hashBacklog?(): Backlog;
  close(): Promise<void>;
}

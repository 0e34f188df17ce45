import * as z from 'zod/mini';
import { apiKeyRowSchema, createdApiKeySchema } from '#domain/account/api-key.ts';
import { keyMakingMessage, keyRevokingMessage } from '#domain/account/api-key-messages.ts';
import type { ReportedProblem } from '#domain/account/second-factor-messages.ts';
import { CallError } from '../../../platform/calls/call-error.ts';
import { callAction, callTypedFunction } from '../../../platform/calls/functions.ts';
import { inTime } from '../../../platform/calls/time-limit.ts';
import { reportError } from '../../../platform/error-log.ts';
import { supabase } from '../../../platform/supabase.ts';

export interface ApiKey {
  id: string;
  name: string;
  prefix: string;
  createdAtMs: number;
  /** Rounded to the hour; null when never used. */
  lastUsedAtMs: number | null;
  /** Null when the key is valid until revoked. */
  expiresAtMs: number | null;
  isRevoked: boolean;
}

/** Newest first. @throws Error, including when the server does not answer in time */
export function fetchApiKeys(userId: string, signal: AbortSignal): Promise<ApiKey[]> {
  return inTime(signal, async (limited) => {
    const { data, error } = await (await supabase())
      .from('api_keys')
      .select('id,name,prefix,created_at,last_used_at,expires_at,revoked_at')
      .eq('user_id', userId)
      .order('created_at', { ascending: false })
      .retry(false)
      .abortSignal(limited);
    if (error) throw new Error(`API keys: ${error.message}`, { cause: error });
    return z.array(apiKeyRowSchema).parse(data).map(toApiKey);
  });
}

function toApiKey(row: z.infer<typeof apiKeyRowSchema>): ApiKey {
  const msOf = (time: string | null) => (time === null ? null : Date.parse(time));
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    createdAtMs: Date.parse(row.created_at),
    lastUsedAtMs: msOf(row.last_used_at),
    expiresAtMs: msOf(row.expires_at),
    isRevoked: row.revoked_at !== null,
  };
}

/** @param days  lifetime; null: valid until revoked @returns the key, which the server shows only once */
export async function makeApiKey(name: string, days: number | null): Promise<string | ReportedProblem> {
  try {
    const body = { name, ...(days !== null && { expires_in_days: days }) };
    return (await callTypedFunction('create-api-key', body, createdApiKeySchema)).key;
  } catch (error) {
    reportError(error, { where: 'create an API key' });
    return keyMakingMessage(error instanceof CallError ? error : {});
  }
}

/** Revoking an already revoked key counts as success. */
export async function revokeApiKey(id: string): Promise<ReportedProblem | null> {
  try {
    await callAction('revoke-api-key', { id });
    return null;
  } catch (error) {
    if (error instanceof CallError && error.code === 'account/no-such-key') return null;
    reportError(error, { where: 'revoke an API key' });
    return keyRevokingMessage(error instanceof CallError ? error : {});
  }
}

import * as z from 'zod/mini';
import { FORECAST_PAGES, forecastPath } from '#domain/share/forecast-id.ts';
import { callAction, callTypedFunction } from '../../platform/calls/functions.ts';
import { callTables } from '../../platform/supabase.ts';

const NOT_LOADED = 'We couldn’t load whether it is shared.';
const shareRows = z.array(z.object({ token: z.string() }));
const shareAnswer = z.object({ ok: z.literal(true), path: z.string().check(z.startsWith(FORECAST_PAGES)) });

/** Path of a prediction's page; null while it isn't shared. @throws Error with a message for users */
export async function fetchSharePath(predictionId: string, signal: AbortSignal): Promise<string | null> {
  const { data } = await callTables(NOT_LOADED, signal, (client, limited) =>
    client.from('prediction_shares').select('token').eq('prediction_id', predictionId).abortSignal(limited),
  );
  const [row] = z.parse(shareRows, data);
  return row === undefined ? null : forecastPath(row.token);
}

/** @returns the path of its page @throws CallError */
export async function sharePrediction(id: string): Promise<string> {
  return (await callTypedFunction('share-prediction', { id }, shareAnswer)).path;
}

/** @throws CallError */
export async function unsharePrediction(id: string): Promise<null> {
  await callAction('unshare-prediction', { id });
  return null;
}

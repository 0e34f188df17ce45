import { reportError } from '../platform/error-log.ts';
import { tables } from '../platform/supabase.ts';

/**
 * Notes in the user's activity log that this page saved a file. A failure is only reported, because the user already has
 * the file.
 */
export async function logExport(file: 'predictions' | 'activity'): Promise<void> {
  try {
    const { error } = await (await tables()).rpc('record_export', { p_file: file });
    if (error !== null) throw new Error(error.message, { cause: error });
  } catch (error) {
    reportError(error, { where: 'log an export' });
  }
}

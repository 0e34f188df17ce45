import { reportError } from '../platform/error-log.ts';
import { tables } from '../platform/supabase.ts';

/** Adds a file that this page saved to the user's activity log. A failure is only reported: the file is there. */
export async function recordExport(file: 'predictions' | 'activity'): Promise<void> {
  try {
    const { error } = await (await tables()).rpc('record_export', { p_file: file });
    if (error !== null) throw new Error(error.message, { cause: error });
  } catch (error) {
    reportError(error, { where: 'record of an export' });
  }
}

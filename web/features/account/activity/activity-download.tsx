/** 'Download CSV': the log in one file. A file is never saved if part of it failed to load. */
import Download from 'lucide-react/icons/download';
import { useEffect, useRef, useState } from 'react';
import { activityCsv } from '#domain/account/activity.ts';
import { formatPrice } from '#domain/format/price.ts';
import { zonedDate } from '#domain/format/zoned-time.ts';
import { reportError } from '../../../platform/error-log.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { logExport } from '../../../session/log-export.ts';
import { saveFile } from '../../../ui/browser/save-file.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { fetchWholeActivity, MOST_IN_ONE_FILE } from './activity-api.ts';

export function ActivityDownload({ userId, isEmpty }: { userId: string; isEmpty: boolean }) {
  const { zone } = useTimeZone();
  const [isBusy, setBusy] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async () => {
    const abort = new AbortController();
    running.current = abort;
    setBusy(true);
    try {
      const rows = await fetchWholeActivity(userId, abort.signal);
      abort.signal.throwIfAborted();
      const name = `kat-activity-${zonedDate(Date.now(), zone)}.csv`;
      saveFile(name, [activityCsv(rows)], 'text/csv');
      const isWhole = rows.length < MOST_IN_ONE_FILE;
      toast.success(
        isWhole ? `Saved as ${name}` : `Saved the newest ${formatPrice(rows.length, 0)} entries as ${name}`,
      );
      await logExport('activity');
      void queryClient.invalidateQueries({ queryKey: ['activity', userId] });
    } catch (error) {
      if (abort.signal.aborted) return;
      reportError(error, { where: 'download of the activity' });
      toast.error('The download failed. No file was saved. Please try again.');
    }
    setBusy(false);
  };

  return (
    <Button
      size="small"
      isBusy={isBusy}
      disabled={isEmpty}
      icon={<Download size={14} aria-hidden="true" />}
      onClick={() => void start()}
    >
      Download CSV
    </Button>
  );
}

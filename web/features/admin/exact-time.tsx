/** A short time in the viewer's zone, with the exact one on hover and, where the keyboard can reach it, on focus. */
import { relativeTime } from '#domain/format/relative-time.ts';
import { zonedDay, zonedMinute, zonedSecond } from '#domain/format/zoned-time.ts';
import { Tooltip } from '../../ui/overlay/tooltip.tsx';

export interface ExactTimeProps {
  /** Null: '-'. */
  timeMs: number | null;
  zone: string;
  /** 'day': '20 Nov 2026'; 'minute': with the time; 'age': '3h ago'. */
  form: 'day' | 'minute' | 'age';
  nowMs: number;
  /** Shows the exact time on focus too. Off in tables of thousands of rows, whose details show it. */
  hasFocus?: boolean;
}

export function ExactTime({ timeMs, zone, form, nowMs, hasFocus = false }: ExactTimeProps) {
  if (timeMs === null) return '-';
  const exact = zonedSecond(timeMs, zone);
  const text =
    form === 'age' ? relativeTime(timeMs, nowMs) : form === 'day' ? zonedDay(timeMs, zone) : zonedMinute(timeMs, zone);
  const dateTime = new Date(timeMs).toISOString();
  if (!hasFocus)
    return (
      <time dateTime={dateTime} title={exact}>
        {text}
      </time>
    );
  return (
    <Tooltip text={exact}>
      <time dateTime={dateTime}>{text}</time>
    </Tooltip>
  );
}

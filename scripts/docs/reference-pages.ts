/** Reference pages that are created from the code, so that they cannot drift from it. */
import { METRICS } from '../../server/operations/metric-definitions.ts';
import { COMMANDS, GROUPS } from '../commands.mjs';
import { table } from './markdown-table.ts';

/** Every command by its file of definitions. */
export function commandsPage(): string {
  const alone = Object.entries(COMMANDS).map(([name, { file, what }]) => [
    `\`${name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`}\``,
    what,
    `\`${file}\``,
  ]);
  const groups = Object.entries(GROUPS).map(([group, members]) => {
    const call = group === 'test' ? 'npm test -- ' : `npm run ${group} -- `;
    const rows = Object.entries(members).map(([name, { file, what }]) => [`\`${call}${name}\``, what, `\`${file}\``]);
    return `## ${group}\n\n${table(['command', 'what it does', 'file'], rows)}`;
  });
  return [
    '# Commands',
    'Each command installs the locked packages first if they are missing. Options follow `--`, for example `npm start -- --demo`.',
    '## Alone',
    table(['command', 'what it does', 'file'], alone),
    ...groups,
  ].join('\n\n');
}

/** @param source  the text of .env.example: `# ` comments, and `#NAME=value` for each setting */
export function settingsPage(source: string): string {
  const blocks = source.split(/\n\n+/).map((block) => block.split('\n'));
  const sections = blocks.flatMap((lines) => {
    const settings = settingsOf(lines);
    if (settings.length === 0) return [];
    const [first = ''] = lines;
    const hasTitle = /^# [A-Z][^.:]{0,60}$/.test(first) && !lines[1]?.startsWith(`#${settings[0]?.name}=`);
    return [{ title: hasTitle ? first.slice(2) : 'Mode', settings }];
  });
  return [
    '# Settings',
    'Every setting is an environment variable. None is needed for `npm start`. The value of each may also be in a file that `<SETTING>_FILE` names, for example `DATABASE_URL_FILE=/run/secrets/database_url`.',
    ...sections.map(
      ({ title, settings }) =>
        `## ${title}\n\n${table(
          ['setting', 'default or example', 'what it does'],
          settings.map(({ name, value, about }) => [`\`${name}\``, value === '' ? '' : `\`${value}\``, about]),
        )}`,
    ),
  ].join('\n\n');
}

interface Setting {
  name: string;
  value: string;
  about: string;
}

/** A comment describes the settings below it. */
function settingsOf(lines: readonly string[]): Setting[] {
  const found: Setting[] = [];
  let about: string[] = [];
  let isBelow = false;
  for (const line of lines) {
    const [, name, value = ''] = /^#?([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (name === undefined) {
      if (isBelow) about = [];
      isBelow = false;
      about.push(line.replace(/^# ?/, ''));
    } else {
      found.push({ name, value, about: (isBelow ? ['The same.'] : about).join(' ') });
      isBelow = true;
    }
  }
  return found;
}

const KINDS: Readonly<Record<string, string>> = {
  gauge: 'gauge',
  total: 'counter',
  counter: 'counter',
  histogram: 'histogram',
};

export function metricsPage(): string {
  const rows = METRICS.map(({ name, kind, unit, help, labels }) => [
    `\`${name}\``,
    KINDS[kind] ?? kind,
    unit === '1' ? '' : `\`${unit}\``,
    labels.map((label) => `\`${label}\``).join(', '),
    help,
  ]);
  return [
    '# Metrics',
    '`GET /metrics` answers in the Prometheus text format when metrics are on; the same can be sent to an OpenTelemetry collector. Each label has few values. [Watched by machines](../../docs/operating/watching.md) explains how to turn them on and which alerts use them.',
    table(['metric', 'kind', 'unit', 'labels', 'what it measures'], rows),
  ].join('\n\n');
}

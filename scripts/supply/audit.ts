import * as z from 'zod/mini';

const reportSchema = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({ severity: z.enum(['info', 'low', 'moderate', 'high', 'critical']), range: z.string() }),
  ),
});
const errorSchema = z.looseObject({ message: z.string() });

export interface AuditVerdict {
  isRefused: boolean;
  lines: readonly string[];
}

/** @param output  of `npm audit --json`; anything that isn't a report counts as no answer */
export function auditVerdict(output: string): AuditVerdict {
  const json = parse(output);
  const report = reportSchema.safeParse(json);
  if (!report.success) {
    const failure = errorSchema.safeParse(json);
    const why = failure.success ? ` (${failure.data.message.split(' - ')[0]})` : '';
    return { isRefused: false, lines: [`NOT CHECKED: the registry does not support this query${why}.`] };
  }
  const found = Object.entries(report.data.vulnerabilities);
  const isSevere = found.some(([, { severity }]) => severity === 'high' || severity === 'critical');
  const lines = found.map(([name, { severity, range }]) => `${severity}: ${name} ${range}`);
  return { isRefused: isSevere, lines: lines.length === 0 ? ['No known vulnerabilities.'] : lines };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // no output, or a proxy's page: no answer either way
  }
}

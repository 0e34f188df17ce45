/** Runs in the test runner's process and writes the report that `npm test` counts. */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { DefaultReporter, type TestModule, type TestRunEndReason, type TestSpecification } from 'vitest/node';
import { describeLoad, machineLoad } from '../../tests/support/failures/machine-load.ts';
import { readDurations } from './durations.ts';
import { progressLine } from './progress.ts';
import { FAILED_SO_FAR, type FileReport, ON_TERMINAL, REPORT_FILE, type RunReport } from './report.ts';

/** A log gets a line this often; a terminal's single line changes with every file. */
const LOG_EVERY_MS = 15_000;

type EndErrors = Parameters<DefaultReporter['onTestRunEnd']>[1];

export default class ProgressReporter extends DefaultReporter {
  private readonly durations = readDurations();
  private readonly isOnTerminal = process.env[ON_TERMINAL] === 'yes';
  private failed = Number(process.env[FAILED_SO_FAR] ?? 0);
  private kind = 'tests';
  private left: string[] = [];
  private readonly done: string[] = [];
  private startedMs = 0;
  private printedMs = 0;

  constructor() {
    super({ summary: false });
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.kind = [...new Set(specifications.map(({ project }) => project.name))].join('+');
    this.left = specifications.map(({ moduleId }) => pathOf(moduleId));
    this.startedMs = performance.now();
    this.printProgress();
  }

  override onTestModuleEnd(module: TestModule): void {
    const path = pathOf(module.moduleId);
    this.left = this.left.filter((file) => file !== path);
    this.done.push(path);
    this.failed += reportFile(module).failed;
    if (module.state() === 'failed') {
      this.clearLine();
      super.onTestModuleEnd(module);
      console.log(describeLoad(machineLoad()));
    }
    if (this.isOnTerminal || performance.now() - this.printedMs >= LOG_EVERY_MS) this.printProgress();
  }

  override onTestRunEnd(modules: readonly TestModule[], errors: EndErrors, reason: TestRunEndReason): void {
    this.clearLine();
    super.onTestRunEnd(modules, errors, reason);
    const file = process.env[REPORT_FILE];
    const report: RunReport = { files: modules.map(reportFile), unhandledErrors: errors.length };
    if (file !== undefined) writeFileSync(file, JSON.stringify(report));
  }

  private printProgress(): void {
    const { kind, done, left, failed } = this;
    this.printedMs = performance.now();
    const line = progressLine({ kind, done, left, failed, elapsedMs: this.printedMs - this.startedMs }, this.durations);
    process.stdout.write(this.isOnTerminal ? `\r\x1b[K${line}` : `${line}\n`);
  }

  private clearLine(): void {
    if (this.isOnTerminal) process.stdout.write('\r\x1b[K');
  }
}

function pathOf(moduleId: string): string {
  return relative(process.cwd(), moduleId).replaceAll('\\', '/');
}

function reportFile(module: TestModule): FileReport {
  const tests = [...module.children.allTests()];
  const withState = (state: string) => tests.filter((test) => test.result().state === state);
  const failed = withState('failed').map(
    (test) => `${test.fullName}: ${firstLine(test.result().errors?.[0]?.message)}`,
  );
  // A file that does not load, or whose hook fails, may have no failed test.
  const moduleErrors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
  const failures = failed.length > 0 ? failed : moduleErrors.slice(0, 1).map(({ message }) => firstLine(message));
  const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } = module.diagnostic();
  return {
    path: pathOf(module.moduleId),
    durationMs: Math.round(prepareDuration + environmentSetupDuration + setupDuration + collectDuration + duration),
    passed: withState('passed').length,
    failed: failures.length,
    skipped: withState('skipped').length,
    failures,
  };
}

function firstLine(text = ''): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

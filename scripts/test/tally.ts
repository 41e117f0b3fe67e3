import { relative, resolve } from 'node:path';

export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** `file: test name` of each failure. */
  readonly failures: readonly string[];
}

/** The results that `node:test` reports for a ring. `node:test` passes files in which no test ran; `emptyFiles` lists them. */
export interface TestReport extends Count {
  readonly emptyFiles: readonly string[];
}

export const nothing: Count = { passed: 0, failed: 0, skipped: 0, failures: [] };

/** The fields of the events `test:pass` and `test:fail` that are read here. */
interface TestResult {
  readonly name: string;
  readonly file?: string | undefined;
  readonly nesting: number;
  readonly details: { readonly type?: string | undefined; readonly error?: Error | undefined };
}

/** Counts the events of a test run over `files`, in the order in which `node:test` reports them. */
export class Tally {
  readonly #files: ReadonlySet<string>;
  #report: TestReport = { ...nothing, emptyFiles: [] };
  #testsOfSuite = 0;
  #brokenSuites = 0;

  constructor(files: readonly string[]) {
    this.#files = new Set(files);
  }

  addPass(result: TestResult): void {
    const { name, file, nesting, details } = result;
    if (nesting > 0) return void this.#testsOfSuite++;
    // A file without tests is reported as one test named like the file; in a shared process, as a suite without tests.
    const isFile = file !== undefined && resolve(name) === resolve(file);
    const isEmptySuite = details.type === 'suite' && this.#testsOfSuite === 0 && this.#files.has(name);
    if (isFile || isEmptySuite) this.#report = { ...this.#report, emptyFiles: [...this.#report.emptyFiles, name] };
    this.#testsOfSuite = 0;
  }

  addFailure(result: TestResult): void {
    this.addPass(result);
    const isSuite = result.details.type === 'suite';
    // Failed tests of a suite are reported one by one; a suite that cannot run is counted nowhere else.
    if (isSuite && failureType(result.details.error) === 'subtestsFailed') return;
    if (isSuite) this.#brokenSuites++;
    const file = result.file === undefined ? '' : `${relative('.', result.file)}: `;
    this.#report = { ...this.#report, failures: [...this.#report.failures, `${file}${result.name}`] };
  }

  setCounts({ tests, passed, skipped, todo }: Readonly<Record<'tests' | 'passed' | 'skipped' | 'todo', number>>): void {
    this.#report = {
      ...this.#report,
      passed,
      skipped: skipped + todo,
      failed: tests - passed - skipped - todo,
    };
  }

  report(): TestReport {
    return { ...this.#report, failed: this.#report.failed + this.#brokenSuites };
  }
}

const failureType = (error: Error | undefined): unknown =>
  error !== undefined && 'failureType' in error ? error.failureType : undefined;

/** Fails a ring in which no test ran, and counts each file in which none ran as a failure. */
export function judge(ring: string, { emptyFiles, ...count }: TestReport): Count {
  for (const file of emptyFiles) console.error(`FAILED: ${file} ran no test`);
  const passed = count.passed - emptyFiles.length;
  const failed = count.failed + emptyFiles.length;
  const failures = [...count.failures, ...emptyFiles.map(file => `${file} ran no test`)];
  if (passed + failed > 0) return { ...count, passed, failed, failures };
  console.error(`FAILED: ${ring} ran no test`);
  return failedToo(count, `${ring} ran no test`);
}

export const failedToo = (count: Count, name: string): Count => ({
  ...count,
  failed: count.failed + 1,
  failures: [...count.failures, name],
});

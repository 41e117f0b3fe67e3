import type { Diagnostic } from './ast/diagnostic.ts';
import type { Span } from './ast/span.ts';
import type { SyntaxCode } from './syntax-codes.ts';

/** Collects findings while one text is parsed. */
export class SyntaxReport {
  static readonly MAX_ERRORS = 200;
  readonly #found: Diagnostic<SyntaxCode>[] = [];

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** After `MAX_ERRORS` errors, only one more is added, which says that there are more. */
  error(code: SyntaxCode, { start, end }: Span, message: string): void {
    if (this.#found.length > SyntaxReport.MAX_ERRORS) return;
    const isLast = this.#found.length === SyntaxReport.MAX_ERRORS;
    const text = isLast ? `more than ${SyntaxReport.MAX_ERRORS} errors: the others are not listed` : message;
    this.#found.push({
      severity: 'error',
      code: isLast ? 'too-many-errors' : code,
      message: text,
      span: { start, end },
    });
  }

  /** In source order. */
  sorted(): readonly Diagnostic<SyntaxCode>[] {
    return this.#found.toSorted((a, b) => a.span.start - b.span.start);
  }
}

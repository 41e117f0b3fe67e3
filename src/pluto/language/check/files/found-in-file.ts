import type { Span } from '../../syntax/ast/span.ts';
import type { CheckCode } from '../report/check-codes.ts';

/** Where findings about a file as a whole go; spans are places in the text of that file. */
export type ReportInFile = (code: CheckCode, span: Span, message: string) => void;

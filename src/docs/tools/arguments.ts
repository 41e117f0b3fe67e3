import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import { RETRIEVAL_LIMITS } from '../../protocol/limits.ts';
import { scopeProblem } from '../scope/scope.ts';

const text = z.string().max(RETRIEVAL_LIMITS.queryLength);
const globs = z.array(text.min(1)).max(RETRIEVAL_LIMITS.globs).default([]);

/** Arguments that several tools share. */
export const scopeArgument = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .describe('A root id, a namespace (docs, code, harness), all, or a list of these. Default: all roots.');
export const pathArgument = text.describe('Path relative to the root, with / as separator.');
export const cursorArgument = z
  .string()
  .max(RETRIEVAL_LIMITS.queryLength * 4)
  .optional()
  .describe('meta.next of the previous page. Repeat all other arguments unchanged.');
export const limitArgument = (byDefault: number) =>
  z
    .int()
    .min(1)
    .default(byDefault)
    .describe(`Maximum number of hits per page, up to ${RETRIEVAL_LIMITS.maxHits}. Use cursor for the next page.`)
    .transform(limit => Math.min(limit, RETRIEVAL_LIMITS.maxHits));
export const queryArgument = text.min(1);
export const globArguments = {
  file_glob: text
    .optional()
    .describe(
      'Only files whose path in the root matches this glob: *, ?, [a-z], {a,b}, ** for any number of folders (**/*.md).',
    ),
  include: globs.describe('More globs like file_glob; a file must match at least one of all these globs.'),
  exclude: globs.describe('Globs of files and folders to skip; a folder is skipped with everything in it.'),
};

/** Returns the globs of which a file must match one; an empty `file_glob` is ignored. */
export const included = (args: { readonly file_glob?: string | undefined; readonly include: readonly string[] }) =>
  args.file_glob === undefined || args.file_glob === '' ? args.include : [args.file_glob, ...args.include];

const has = (args: Readonly<Record<string, unknown>>, name: string): boolean => args[name] !== undefined;
/** Whether a value is a whole number of at least 1. */
export const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1;

/** Checks of the arguments with a specific error code. The schema checks everything else. */
const checks: Readonly<
  Record<string, (value: unknown, args: Readonly<Record<string, unknown>>) => AppError | undefined>
> = {
  scope: value => scopeProblem(value),
  query: value =>
    typeof value === 'string' && value.trim() !== '' ? undefined : new AppError('QUERY_EMPTY', { query: show(value) }),
  limit: value => (isCount(value) ? undefined : new AppError('LIMIT_INVALID', { limit: show(value) })),
  file_glob: value =>
    typeof value === 'string' ? undefined : new AppError('FILE_GLOB_INVALID', { file_glob: show(value) }),
  start_line: (value, args) => rangeProblem(value, args),
  end_line: (value, args) => rangeProblem(value, args),
};

function rangeProblem(value: unknown, args: Readonly<Record<string, unknown>>): AppError | undefined {
  if (isCount(value)) return undefined;
  return new AppError('RANGE_INVALID', { start_line: show(args['start_line']), end_line: show(args['end_line']) });
}

/**
 * Checks the arguments and returns the first problem, with the specific error codes of the docs toolset.
 *
 * @param known    every argument of the tool
 * @param required the known arguments whose absence has a specific error code
 */
export function checkArguments(
  rawArguments: unknown,
  known: readonly string[],
  required: readonly ('query' | 'path' | 'start_line' | 'end_line')[] = [],
): AppError | undefined {
  if (typeof rawArguments !== 'object' || rawArguments === null) {
    if (rawArguments !== undefined) return undefined;
  } else if (Array.isArray(rawArguments)) return undefined;
  const args: Readonly<Record<string, unknown>> = { ...rawArguments };
  if (has(args, 'repo') && !known.includes('repo')) {
    const scope = args['repo'] === 'docs' || args['repo'] === 'code' ? [args['repo']] : ['docs', 'code'];
    return new AppError('LEGACY_INPUT', { field: 'repo', scope });
  }
  const unknown = Object.keys(args).filter(name => !known.includes(name));
  if (unknown.length > 0) return new AppError('ARGUMENT_UNKNOWN', { arguments: unknown, known });
  for (const name of known) {
    const isRequired = required.some(one => one === name);
    if (name === 'path' && isRequired && (typeof args[name] !== 'string' || args[name] === ''))
      return new AppError('PATH_EMPTY', { path: show(args[name]) });
    if (!has(args, name) && !isRequired) continue;
    const problem = checks[name]?.(args[name], args);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const show = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing')).slice(0, 200);

import type { AppError } from '../base/errors.ts';
import { formatSentence } from '../base/sentence.ts';
import { forAgent, toErrorBody } from '../protocol/error-body.ts';
import type { ErrorBody } from '../protocol/sync-result.ts';

/** Failures of the file system. Their paths are absolute when the file is outside of the project, such as in the state folder. */
const isOfFiles = (code: string): boolean => code.startsWith('FS_') || code === 'STATE_NOT_WRITABLE';

const isAbsolute = (value: unknown): value is string =>
  typeof value === 'string' && /^(?:\/|[A-Za-z]:[\\/]|\\\\)./.test(value);

const nameOf = (path: string): string => path.split(/[\\/]/).findLast(name => name !== '') ?? path;

/** The absolute paths in the failures of an answer: the failure itself, or its members `error` and `failed`. */
function absolutePathsIn(answer: Readonly<Record<string, unknown>>): readonly string[] {
  const failed: readonly unknown[] = Array.isArray(answer['failed']) ? answer['failed'] : [];
  const bodies = [answer, answer['error'], ...failed.map(one => (one as { readonly error?: unknown } | null)?.error)];
  return bodies.flatMap(body => {
    const { code, details } = (body ?? {}) as Partial<ErrorBody>;
    if (typeof code !== 'string' || !isOfFiles(code)) return [];
    return Object.values(details ?? {}).filter(isAbsolute);
  });
}

/**
 * Replaces absolute paths in the failures of an answer by their last name, because an agent, and the service that it sends the answer to, must
 * not learn the folders of the computer. A person sees them.
 *
 * @param words the same answer as text
 */
export function hideFolders<T extends Readonly<Record<string, unknown>>>(
  answer: T,
  words: string,
): { readonly answer: T; readonly words: string } {
  const paths = absolutePathsIn(answer).toSorted((a, b) => b.length - a.length);
  if (paths.length === 0) return { answer, words };
  const hidden = (text: string): string =>
    paths.reduce((rest, path) => rest.replaceAll(path, () => nameOf(path)), text);
  const copy: unknown = JSON.parse(
    JSON.stringify(answer, (_, value: unknown) => (typeof value === 'string' ? hidden(value) : value)),
  );
  return { answer: copy as T, words: hidden(words) };
}

/** The message and the hint of a failure for an agent or a Studio, without folders of the computer. */
export const failureForAgent = (error: AppError): string =>
  hideFolders(toErrorBody(error), formatSentence(forAgent(error))).words;

import type { AppError } from '../../../base/errors.ts';

const FAILED = -32_000;
const NO_SUCH_TOOL = -32_601;

/** An error in the old format: a protocol error that wraps the tool's own code. */
export class OldToolError extends Error {
  readonly code: number;
  readonly data:
    | { readonly error: { readonly code: string; readonly message: string; readonly details: object } }
    | object;

  constructor(code: number, message: string, data: OldToolError['data']) {
    super(message);
    this.name = 'OldToolError';
    this.code = code;
    this.data = data;
  }

  static unknownTool(tool: string): OldToolError {
    return new OldToolError(NO_SUCH_TOOL, 'Tool not found', { tool });
  }
}

/**
 * Converts an error to the old format.
 *
 * @param repo the `repo` of the call, for the details
 */
export function toOldError(error: AppError, repo: string): OldToolError {
  const code = oldCodes[error.code] ?? error.code;
  // Internal errors are only logged: their messages may contain local paths.
  const message = code === 'INTERNAL_ERROR' ? 'Internal error' : error.message;
  const details = code === 'INTERNAL_ERROR' ? {} : oldDetails({ ...error.details }, repo);
  return new OldToolError(FAILED, message, { error: { code, message, details } });
}

const oldCodes: Readonly<Record<string, string>> = {
  INTERNAL: 'INTERNAL_ERROR',
  GLOB_INVALID: 'FILE_GLOB_INVALID',
};

function oldDetails(details: Readonly<Record<string, unknown>>, repo: string): object {
  const { root, roots, path, ...rest } = details;
  const toRepo = (id: unknown): string => String(id).replace(/-default$/, '');
  return {
    ...rest,
    ...(path === undefined
      ? root === undefined
        ? {}
        : { root }
      : { repo: root === undefined ? repo : toRepo(root), path }),
    ...(Array.isArray(roots) ? { repos: roots.map(toRepo) } : {}),
  };
}

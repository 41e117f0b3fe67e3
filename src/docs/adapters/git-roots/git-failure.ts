import { messageOf } from '../../../base/describe-cause.ts';
import { AppError } from '../../../base/errors.ts';
import { withoutSecrets } from '../../../base/url-secrets.ts';

interface Context {
  readonly root: string;
  /** The requested ref, for REF_NOT_FOUND. */
  readonly ref: string;
}

/**
 * Patterns of git's messages in the C locale. The exit code is 128 for all of them. The first match is used, so messages of ssh come
 * before the more general message that git adds.
 */
const patterns: readonly (readonly [RegExp, (context: Context, text: string) => AppError])[] = [
  [
    /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/,
    ({ root }) => new AppError('HOST_KEY_UNKNOWN', { root }),
  ],
  [
    /could not read (?:Username|Password)|Authentication failed for|Permission denied \(|The requested URL returned error: 40[13]|terminal prompts disabled/,
    ({ root }) => new AppError('AUTH_FAILED', { root }),
  ],
  [
    /Could not resolve (?:host|proxy)|Failed to connect|Connection (?:refused|timed out|reset)|Couldn't connect|Network is unreachable|No route to host|Could not resolve hostname|Temporary failure in name resolution|Operation timed out|Name or service not known/,
    ({ root }, text) =>
      new AppError('OFFLINE', {
        root,
        cause: lineWith(text, /resolve|connect|Connection|Network|route|timed out|name resolution|Name or service/i),
      }),
  ],
  [
    /repository '.*' not found|does not appear to be a git repository|The requested URL returned error: 404|Could not read from remote repository|not valid: is this a git repository|does not exist/,
    ({ root }) => new AppError('REMOTE_NOT_FOUND', { root }),
  ],
  [
    /couldn't find remote ref|not our ref|no such remote ref/i,
    ({ root, ref }) => new AppError('REF_NOT_FOUND', { root, ref }),
  ],
  [
    /loose object .* is corrupt|bad object|missing (?:blob|tree|commit)|unable to read (?:tree|sha1|[0-9a-f]{40})|inflate: data stream error|not a git repository|Could not read [0-9a-f]{40}|did not send all necessary objects|packfile .* (?:is truncated|cannot be accessed)|index file corrupt|bad (?:index|signature)|cannot lock ref|\.lock': File exists/,
    ({ root }, text) => new AppError('CACHE_CORRUPT', { root, reason: lineWith(text, /./) }),
  ],
  [
    /spawn git ENOENT|ENOENT.*\bgit\b/,
    (_context, text) => new AppError('GIT_NOT_FOUND', { reason: lineWith(text, /ENOENT/) }),
  ],
];

/** Converts a failure of git to an error of the catalog. Removes user names, passwords and the path of the cache from git's output. */
export function gitFailure(error: unknown, context: Context, cache: string | undefined): AppError {
  if (error instanceof AppError) return error;
  const text = scrub(messageOf(error), cache);
  for (const [pattern, createError] of patterns) if (pattern.test(text)) return createError(context, text);
  return new AppError('GIT_FAILED', { root: context.root, reason: lineWith(text, /fatal|error/i) }, { cause: error });
}

/** Removes user names, passwords, tokens in the query of a URL, and the absolute path of the cache from a text. */
export function scrub(text: string, cache: string | undefined): string {
  const withoutUsers = withoutSecrets(text);
  return cache === undefined || cache === '' ? withoutUsers : withoutUsers.replaceAll(cache, '<cache>');
}

function lineWith(text: string, pattern: RegExp): string {
  const lines = text
    .split(/[\r\n]+/)
    .map(line => line.trim())
    .filter(line => line !== '');
  return (lines.find(line => pattern.test(line)) ?? lines[0] ?? 'no reason was given')
    .replace(/^(?:fatal|error): /, '')
    .slice(0, 300);
}

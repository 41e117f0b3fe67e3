import type { RootProblem } from '../../base/retrieval-errors.ts';
import { parseRootPath } from '../../base/root-path.ts';
import { type GitPolicy, type RootDefinition, rootVariable } from '../../protocol/roots.ts';
import { type Environment, isAbsolutePath } from './environment.ts';

/** Reads the source of a listed root; `undefined` if it has a problem. */
export function readSource(
  env: Environment,
  id: string,
  list: string,
  policy: GitPolicy,
  problems: RootProblem[],
): Pick<RootDefinition, 'source' | 'subdir'> | undefined {
  const value = (name: string): string | undefined => (env[name]?.trim() === '' ? undefined : env[name]);
  const pathVariable = rootVariable(id, 'PATH');
  const urlVariable = rootVariable(id, 'GIT_URL');
  const refVariable = rootVariable(id, 'GIT_REF');
  const path = value(pathVariable);
  const url = value(urlVariable)?.trim();
  const ref = value(refVariable)?.trim();
  const before = problems.length;
  const problem = (reason: RootProblem['reason'], variable: string, message: string): void =>
    void problems.push({ reason, variable, message, root: id });

  if (path === undefined && url === undefined)
    problem('ROOT_SOURCE_MISSING', pathVariable, `is not set, and neither is ${urlVariable}, but ${list} lists ${id}`);
  if (path !== undefined && url !== undefined)
    problem('ROOT_SOURCE_CONFLICT', urlVariable, `and ${pathVariable} are both set; set only one of them`);
  if (path !== undefined && !isAbsolutePath(path))
    problem('ROOT_PATH_RELATIVE', pathVariable, 'must be an absolute path');
  if (url !== undefined) {
    const wrong = urlProblem(url, policy);
    if (wrong !== undefined) problem(wrong.reason, urlVariable, wrong.message);
  }
  if (ref !== undefined && url === undefined && path !== undefined)
    problem('ROOT_SOURCE_CONFLICT', refVariable, 'is set, but the root is a local folder');
  if (ref !== undefined && !isSafeRef(ref))
    problem('GIT_REF_INVALID', refVariable, 'must be a branch, a tag, a full ref (refs/…) or a full commit id');

  const subdirVariable = rootVariable(id, 'SUBDIR');
  const subdirText = value(subdirVariable) ?? '';
  const subdir = parseRootPath(subdirText.trim());
  if (subdir === undefined || subdir.split('/').includes('.git'))
    problem('SUBDIR_INVALID', subdirVariable, 'must be a relative path that stays inside the root');

  if (problems.length > before || subdir === undefined) return undefined;
  if (url !== undefined) return { source: { kind: 'git', url, ref, variable: urlVariable }, subdir };
  return { source: { kind: 'local', path: path ?? '', variable: pathVariable }, subdir };
}

/** Checks a URL. The message never quotes it, because it may contain a password. */
function urlProblem(url: string, policy: GitPolicy): Pick<RootProblem, 'reason' | 'message'> | undefined {
  if (url.startsWith('-') || hasControlOrBlank(url) || /^[A-Za-z0-9+.-]*::/.test(url))
    return { reason: 'GIT_URL_INVALID', message: 'is not an allowed URL' };
  const scp = /^(?:[A-Za-z0-9._-]+@)?[A-Za-z0-9][A-Za-z0-9.-]*:(?!\/\/)[^-]/.exec(url);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase() ?? (scp === null ? undefined : 'ssh');
  if (scheme === undefined)
    return { reason: 'GIT_URL_INVALID', message: 'must be a URL such as https://host/path or git@host:path' };
  if (!policy.protocols.some(allowed => allowed === scheme))
    return {
      reason: 'GIT_PROTOCOL_FORBIDDEN',
      message: `uses the protocol ${scheme}, but WORKSPACE_DOCS_GIT_PROTOCOLS allows only ${policy.protocols.join(', ')}`,
    };
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  if (authority === undefined) return undefined;
  const user = authority.includes('@') ? authority.slice(0, authority.lastIndexOf('@')) : '';
  if (user.includes(':') || (user !== '' && scheme !== 'ssh'))
    return {
      reason: 'GIT_URL_HAS_CREDENTIALS',
      message: "contains credentials; use git's credential helper instead",
    };
  const host = authority.slice(user === '' ? 0 : user.length + 1);
  if (user.startsWith('-') || host.startsWith('-') || (host === '' && scheme !== 'file'))
    return { reason: 'GIT_URL_INVALID', message: 'has no valid host' };
  return undefined;
}

/** Whether `git check-ref-format` accepts the ref, and it cannot be read as an option, a range or a refspec. */
const isSafeRef = (ref: string): boolean =>
  ref.length <= 255 &&
  !hasControlOrBlank(ref) &&
  !/^[-/.]|[/.]$|\.\.|\/\/|\/\.|\.lock(?:\/|$)|@\{|^@$|[~^:?*[\\]/.test(ref);

function hasControlOrBlank(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 127) return true;
  }
  return false;
}

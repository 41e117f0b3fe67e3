import { AppError } from '../../../base/errors.ts';
import type { FileText } from '../../files/read-file.ts';
import type { Line } from '../../files/text.ts';
import type { Answer } from '../../scope/answer.ts';
import type { Terms } from '../../scope/retrieval-deps.ts';
import type { JsonObjectSchema } from '../../../mcp/tool.ts';
import { RETRIEVAL_LIMITS } from '../../../protocol/limits.ts';
import type { Hit } from '../../search/search.ts';
import { isCount } from '../arguments.ts';
import type { DocsToolDeps } from '../docs-tool-deps.ts';
import { takeFittingMessage } from './one-message.ts';
import type { OldTarget } from './old-target.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** One of the five tools of the old interface. */
export interface CompatTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObjectSchema;
  /** Whether the tool is a search, which may cover both roots. */
  readonly takesBoth: boolean;
  /** Runs the tool. `repo` is set if the answer determines it more precisely than the call. */
  run(
    deps: DocsToolDeps,
    args: Arguments,
    target: OldTarget,
    signal: AbortSignal,
  ): Promise<{ readonly result: unknown; readonly meta?: Answer<unknown>['meta']; readonly repo?: string }>;
}

/** The limits of the old tools: a file is opened in one page. Answers that exceed a message are still refused. */
const terms: Terms = {
  openedBytes: RETRIEVAL_LIMITS.openedBytesCompat,
  answerBytes: RETRIEVAL_LIMITS.openedBytesCompat,
  listedEntries: Infinity,
};

const repoOne = { type: 'string', enum: ['docs', 'code'], description: 'Deprecated: use scope.' };
const repoAny = { type: 'string', enum: ['docs', 'code', 'both'], description: 'Deprecated: use scope.' };
const scope = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
const path = { type: 'string', minLength: 1, description: 'Relative to the root.' };
const line = { type: 'integer', minimum: 1 };
const schema = (properties: Record<string, object>, required: readonly string[] = []): JsonObjectSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const listDir: CompatTool = {
  name: 'list_dir',
  description: 'List a folder of the docs or the code root.',
  inputSchema: schema({ repo: repoOne, scope, path: { type: 'string' } }),
  takesBoth: false,
  async run(deps, args, target, signal) {
    const given = typeof args['path'] === 'string' ? args['path'] : '';
    const isTop = given === '' || given === '.' || given === './';
    if (isTop && target.repo === 'both' && args['scope'] === undefined) {
      const roots = (await deps.retrieval.configuration()).roots.map(root => root.namespace);
      const entries = ['docs', 'code'].filter(name => roots.some(one => one === name));
      return { result: { path: given, entries: entries.map(name => ({ path: name, type: 'directory' })) } };
    }
    const request = { scope: target.scope, path: target.strip(given), cursor: undefined };
    const { result, meta } = await deps.retrieval.listDir(request, terms, signal);
    // At the top of a scope, the roots are listed by id.
    const all = result.entries.map(({ root, path: at, type }) => ({ path: result.root === null ? root : at, type }));
    const { items: entries, isCut } = takeFittingMessage(all);
    return {
      result: { path: target.strip(given), entries },
      meta: { ...meta, truncated: isCut },
      repo: repoOf(result.namespace, target),
    };
  },
};

const openFile: CompatTool = {
  name: 'open_file',
  description: 'Read a file of the docs or the code root.',
  inputSchema: schema({ repo: repoOne, scope, path }, ['path']),
  takesBoth: false,
  async run(deps, args, target, signal) {
    const given = target.strip(readPath(args));
    const request = { scope: target.scope, path: given, cursor: undefined };
    const { result, meta } = await deps.retrieval.openFile(request, terms, signal);
    const lines = wholeLines(result, meta.truncated);
    return { result: { path: given, lines }, meta, repo: repoOf(result.namespace, target) };
  },
};

const getSnippet: CompatTool = {
  name: 'get_snippet',
  description: 'Read some lines of a file of the docs or the code root.',
  inputSchema: schema({ repo: repoOne, scope, path, start_line: line, end_line: line }, [
    'path',
    'start_line',
    'end_line',
  ]),
  takesBoth: false,
  async run(deps, args, target, signal) {
    const given = target.strip(readPath(args));
    const { start_line: startLine, end_line: endLine } = args;
    if (!isCount(startLine) || !isCount(endLine))
      throw new AppError('RANGE_INVALID', { start_line: String(startLine), end_line: String(endLine) });
    const request = { scope: target.scope, path: given, cursor: undefined, startLine, endLine };
    const { result, meta } = await deps.retrieval.getSnippet(request, terms, signal);
    return {
      result: {
        path: given,
        start_line: result.startLine,
        end_line: result.endLine,
        lines: wholeLines(result, meta.truncated),
      },
      meta,
      repo: repoOf(result.namespace, target),
    };
  },
};

const searchSchema = schema(
  {
    query: { type: 'string', minLength: 1 },
    repo: repoAny,
    scope,
    file_glob: { type: 'string' },
    limit: { type: 'integer', minimum: 1, default: RETRIEVAL_LIMITS.hits },
  },
  ['query'],
);

/** Both searches of the old interface, which differ in the fields of a hit. */
const searchTool = (name: string, description: string, toHit: (hit: Hit) => object): CompatTool => ({
  name,
  description,
  inputSchema: searchSchema,
  takesBoth: true,
  async run(deps, args, target, signal) {
    const { result, meta } = await deps.retrieval.search(readQuery(args, target), terms, signal);
    return page(result.map(toHit), meta);
  },
});

const search = searchTool('search', 'Find a text in the docs and the code root.', ({ path, line, preview }) => ({
  path,
  line,
  preview,
}));

/** Only the current `smart_search` ranks hits. */
const smartSearch = searchTool(
  'smart_search',
  'Find a text in the docs and the code root; hits say in which.',
  ({ namespace, path, line, preview }) => ({ repo: namespace, path, line, preview }),
);

export const compatTools: readonly CompatTool[] = [listDir, openFile, getSnippet, search, smartSearch];

function page(hits: readonly object[], meta: Answer<unknown>['meta']) {
  const { items, isCut } = takeFittingMessage(hits);
  return { result: items, meta: { ...meta, truncated: meta.truncated || isCut } };
}

/** Returns all lines, because old clients cannot request further pages. @throws AppError FILE_TOO_LARGE */
function wholeLines({ root, path: file, lines }: FileText, isTruncated: boolean): readonly Line[] {
  const { items, isCut } = takeFittingMessage(lines);
  if (!isTruncated && !isCut && !lines.some(line => line.isCut === true)) return items;
  const limit = RETRIEVAL_LIMITS.messageBytesCompat;
  throw new AppError('FILE_TOO_LARGE', { root, path: file, limit, isAnswer: true });
}

const repoOf = (namespace: string | null, target: OldTarget): string => namespace ?? target.repo;

function readPath(args: Arguments): string {
  const given = args['path'];
  if (typeof given !== 'string' || given === '') throw new AppError('PATH_EMPTY', { path: '' });
  return given;
}

function readQuery(args: Arguments, target: OldTarget) {
  const { query, limit = RETRIEVAL_LIMITS.hits, file_glob: glob } = args;
  if (typeof query !== 'string' || query.trim() === '')
    throw new AppError('QUERY_EMPTY', { query: typeof query === 'string' ? query : '' });
  if (!isCount(limit)) throw new AppError('LIMIT_INVALID', { limit: String(limit) });
  if (glob !== undefined && typeof glob !== 'string')
    throw new AppError('FILE_GLOB_INVALID', { file_glob: JSON.stringify(glob) ?? '' });
  // A glob that is only the name of a root selects the whole root.
  const include = glob === undefined || glob === '' ? [] : [target.strip(glob)].filter(one => one !== '');
  return {
    scope: target.scope,
    query,
    isRegex: false,
    ignoreCase: false,
    wholeWord: false,
    include,
    exclude: [],
    limit: Math.min(limit, RETRIEVAL_LIMITS.maxHitsCompat),
    cursor: undefined,
  };
}

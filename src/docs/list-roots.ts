import type { RootProblem } from '../base/retrieval-errors.ts';
import type { Checkout } from './ports/root-checkouts.ts';
import type { RootDefinition } from '../protocol/roots.ts';
import type { RetrievalDeps } from './scope/retrieval-deps.ts';
import { foldersOverlap } from './scope/root-groups.ts';

export interface ListedRoot {
  readonly definition: RootDefinition;
  readonly checkout: Checkout;
}
export interface RootsReport {
  /** In the order of results. */
  readonly roots: readonly ListedRoot[];
  readonly problems: readonly RootProblem[];
  readonly warnings: readonly string[];
}

/** Lists every root and its state, even if the configuration is invalid. Reads the disk only. */
export async function listRoots(deps: RetrievalDeps): Promise<RootsReport> {
  const { roots, policy, problems, warnings } = await deps.configuration();
  const listed: ListedRoot[] = [];
  for (const definition of roots)
    listed.push({ definition, checkout: await deps.checkouts.locate(definition, policy.cache) });
  const found = diskFindings(listed, policy.cache);
  return {
    roots: listed,
    problems: [...problems, ...found.problems],
    warnings: [...warnings, ...found.warnings],
  };
}

/** Finds the problems that only the disk shows: missing, duplicate and nested folders. */
function diskFindings(
  listed: readonly ListedRoot[],
  cache: string | undefined,
): { readonly problems: readonly RootProblem[]; readonly warnings: readonly string[] } {
  const problems: RootProblem[] = [];
  const warnings: string[] = [];
  const present: { readonly definition: RootDefinition; readonly folder: string }[] = [];
  const hasGit = listed.some(root => root.definition.source.kind === 'git');
  for (const { definition, checkout } of listed) {
    const { id: root, source } = definition;
    const variable = source.variable;
    if (checkout.kind === 'absent') {
      if (source.kind === 'local')
        problems.push({
          reason: checkout.problem ?? 'ROOT_NOT_FOUND',
          variable,
          message: `points to a folder that cannot be read: ${checkout.reason}`,
          root,
          path: source.path,
        });
      continue;
    }
    for (const other of present) {
      const isSame = other.folder === checkout.folder;
      if (isSame && !(isOld(other.definition) && isOld(definition)))
        problems.push({
          reason: 'ROOT_PATH_DUPLICATE',
          variable,
          message: `points to the same folder as root ${other.definition.id}`,
          root,
        });
      else if (foldersOverlap(other.folder, checkout.folder) && !isInner(other.definition, definition))
        warnings.push(
          isSame
            ? `roots ${other.definition.id} and ${root} are the same folder, so hits appear under both ids`
            : `roots ${other.definition.id} and ${root} overlap (one contains the other), so hits appear under both ids`,
        );
    }
    if (hasGit && source.kind === 'local' && cache !== undefined && foldersOverlap(cache, checkout.folder))
      problems.push({
        reason: 'CACHE_UNSAFE',
        variable: 'WORKSPACE_DOCS_CACHE',
        message: `overlaps root ${root}: neither may contain the other`,
        root,
      });
    present.push({ definition, folder: checkout.folder });
  }
  return { problems, warnings };
}

/** Whether the root comes from one of the two old variables, which may name the same folder. */
const isOld = ({ source }: RootDefinition): boolean => ['DOCS_ROOT', 'CODE_ROOT'].includes(source.variable);

/** Whether one of the two roots is configured as an inner root of the other, so that no file is found twice. */
const isInner = (one: RootDefinition, other: RootDefinition): boolean =>
  one.inner?.some(({ root }) => root === other.id) === true ||
  other.inner?.some(({ root }) => root === one.id) === true;

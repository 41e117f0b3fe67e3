import type { ProjectPath } from '../../base/brand.ts';
import { plural } from '../../base/plural.ts';
import { plainSentence, say, type Sentence } from '../../base/sentence.ts';
import type { ProjectDiagnostic } from '../../project/project-session.ts';
import { reasonSentence, reasonText } from '../../protocol/reason.ts';
import type { Compared } from '../../protocol/studio/stream.ts';
import type { RunChange } from '../changes/run-change.ts';
import type { ComparisonFacts } from './compare.ts';

/** The units that a run counts. */
export type ProgressStep = 'compared' | 'applied' | 'written';

export function progressMessage(step: ProgressStep, done: number, total: number): Sentence {
  switch (step) {
    case 'compared':
      return say`Compared ${done} of ${total} instances`;
    case 'applied':
      return say`Studio applied ${done} of ${total} changes`;
    case 'written':
      return say`Wrote ${done} of ${total} files`;
  }
}

/** @param restored the side that is restored; `undefined` for a sync */
export function comparingMessage(restored: 'disk' | 'studio' | undefined): Sentence {
  switch (restored) {
    case undefined:
      return say`Comparing disk with Studio`;
    case 'disk':
      return say`Comparing disk with the record`;
    case 'studio':
      return say`Comparing Studio with the record`;
  }
}

/**
 * @param shownIn the window that shows the review, if any
 * @param hasWindow whether VS Code can show it
 */
export function decidingMessage(
  shownIn: string | undefined,
  decided: number,
  total: number,
  hasWindow: boolean,
): Sentence {
  const count = say`${decided} of ${total} changes decided`;
  if (!hasWindow) return say`Waiting for a decision: ${count}`;
  return shownIn === undefined
    ? say`Waiting for a decision: ${count}. Run "Atlas Bridge: Review Changes" to open the review`
    : say`A person is reviewing in VS Code (${shownIn}): ${count}`;
}

/** Additional facts about a comparison, one sentence each. */
export const warningsOf = ({
  compared,
  problems,
  changes,
  unsaved,
  isRepeated,
}: ComparisonFacts): readonly Sentence[] => [
  ...(isRepeated ? [say`Live Sync is on, so Studio gets every change of this restore too, including deletions.`] : []),
  ...unsavedWarnings(unsaved),
  ...olderPlaceWarnings(changes.filter(({ defaultReason }) => defaultReason === 'base_studio_older')),
  ...unreadableWarnings(compared.unreadable ?? []),
  ...brokenFileWarnings(problems),
];

const MAX_UNSAVED_NAMES = 5;

/** One sentence for all files with edits in an editor that are not on disk. */
function unsavedWarnings(files: readonly ProjectPath[]): readonly Sentence[] {
  if (files.length === 0) return [];
  const shown = files.slice(0, MAX_UNSAVED_NAMES).join(', ');
  const rest = files.length - MAX_UNSAVED_NAMES;
  const names = rest <= 0 ? plainSentence(shown) : say`${shown} and ${rest} more`;
  return [
    plural(
      files.length,
      say`${names} has unsaved edits in the editor, which are not compared. Save it to include them.`,
      say`${files.length} files have unsaved edits in the editor, which are not compared: ${names}. Save them to include the edits.`,
    ),
  ];
}

/** One sentence for all changes whose Studio side is older than the last sync. */
function olderPlaceWarnings(older: readonly Pick<RunChange, 'studio'>[]): readonly Sentence[] {
  const [first] = older;
  if (first === undefined) return [];
  return older.length === 1
    ? [say`Studio has an older version of ${first.studio.path} than the last sync, so pull is not suggested.`]
    : [
        say`This place is older than the last sync: Studio has older versions of ${older.length} instances, so pull is not suggested for them.`,
      ];
}

type Unreadable = NonNullable<Compared['unreadable']>[number];

/** One sentence per property and reason: a project may have the same invalid value a hundred times. */
export function unreadableWarnings(unreadable: readonly Unreadable[]): readonly Sentence[] {
  const groups = new Map<string, { readonly first: Unreadable; count: number }>();
  for (const item of unreadable) {
    const key = `${item.property}\n${reasonText(item.reason)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: item, count: 1 });
    else group.count += 1;
  }
  return Array.from(groups.values(), ({ first: { path, property, reason }, count }) => {
    const where = count === 1 ? plainSentence(path) : say`${path} and ${count - 1} more`;
    return say`${property} of ${where} was not compared: Studio cannot read the value in the files (${reasonSentence(reason)}).`;
  });
}

/** One sentence per warning about the project files, as `build` prints them. */
export const projectWarnings = (diagnostics: readonly ProjectDiagnostic[]): readonly Sentence[] =>
  firstProblems(
    diagnostics.filter(({ severity }) => severity === 'warning'),
    ({ file, line, column, message }) => plainSentence(`${file}:${line}:${column}: ${message}`),
    rest =>
      plural(rest, say`The project's files have 1 more warning.`, say`The project's files have ${rest} more warnings.`),
  );

/** One sentence per position in the project's files that cannot be read. */
export const brokenFileWarnings = (diagnostics: readonly ProjectDiagnostic[]): readonly Sentence[] =>
  firstProblems(
    diagnostics.filter(({ severity }) => severity === 'error'),
    ({ file, line, column, message }) =>
      say`${file}:${line}:${column} has an error: ${message}. Until you fix it, Atlas Bridge uses the last valid version. If there is none, it ignores the file, and does not compare what only Studio has in that folder.`,
    rest =>
      plural(rest, say`The project's files have 1 more error.`, say`The project's files have ${rest} more errors.`),
  );

/** Maximum number of problems that are listed; a person fixes about as many before the next comparison. */
const MAX_FILE_PROBLEMS = 20;

function firstProblems(
  found: readonly ProjectDiagnostic[],
  describe: (problem: ProjectDiagnostic) => Sentence,
  countRest: (rest: number) => Sentence,
): readonly Sentence[] {
  const shown = found.slice(0, MAX_FILE_PROBLEMS).map(describe);
  const rest = found.length - shown.length;
  return rest === 0 ? shown : [...shown, countRest(rest)];
}

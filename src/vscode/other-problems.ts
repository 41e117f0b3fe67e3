import type { BridgeLifecycle } from './bridge-lifecycle.ts';
import type { Localize } from './localization/localize.ts';
import { personSentence } from './localization/person-sentence.ts';
import { projectLabel } from './project-label.ts';
import type { ServedBridge } from './served-bridge.ts';
import type { UnservedProject } from './unserved-projects.ts';

/** An error in a project that is not the active one. */
export interface OtherProblem {
  /** The name or the file of the project. */
  readonly project: string;
  /** The project and the first error of its files, with its position. */
  readonly text: string;
}

/** Lists the errors of the projects beside the active one, one for each project. */
export function otherProblems(
  lifecycle: Pick<BridgeLifecycle, 'state' | 'bridges'>,
  unserved: readonly UnservedProject[],
  l10n: Localize,
): readonly OtherProblem[] {
  const state = lifecycle.state();
  if (state.kind !== 'running') return [];
  const bridges = lifecycle.bridges();
  const served = bridges.flatMap(bridge => {
    const text = bridge === state.bridge ? undefined : problemOf(bridge, l10n);
    const project = projectLabel(bridges, bridge);
    return text === undefined ? [] : [{ project, text: l10n.t('{0}: {1}', project, text) }];
  });
  const others = unserved.flatMap(({ label, error }) =>
    error === undefined ? [] : [{ project: label, text: unservedText(label, error, l10n) }],
  );
  return [...served, ...others];
}

/** The reason why a project is not served, with the position of an error in its file. */
export const unservedText = (label: string, error: NonNullable<UnservedProject['error']>, { t }: Localize): string =>
  'unreadable' in error
    ? t(
        '{0} cannot be read: {1}. Make the folder readable, then reload the window to sync its project.',
        label,
        error.unreadable,
      )
    : t(
        '{0}:{1}:{2}: expected {3}. The project is not synced until you fix the error.',
        label,
        error.line,
        error.column,
        error.expected,
      );

function problemOf(bridge: ServedBridge, l10n: Localize): string | undefined {
  const problem = bridge.projectProblem();
  if (problem !== undefined) return personSentence(problem, l10n);
  const broken = bridge
    .session()
    ?.diagnostics()
    .find(({ severity }) => severity === 'error');
  return broken && `${broken.file}:${broken.line}:${broken.column}: ${broken.message}`;
}

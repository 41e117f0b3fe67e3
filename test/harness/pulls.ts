import { type Reason, reasonText } from '../../src/protocol/reason.ts';
import assert from 'node:assert/strict';
import type { PullRequest, PullsPlan } from '../../src/project/project-session.ts';
import type { StudioInstance } from '../../src/protocol/studio/stream.ts';
import { never, type ProjectWorld } from './project-world.ts';

let ids = 0;

/** Builds an instance as Studio reports it, with a new id. */
export const studioInstance = (
  name: string,
  className: string,
  parts: Partial<StudioInstance> = {},
): StudioInstance => ({
  id: `${(ids += 1)}`.padStart(32, 'f'),
  name,
  className,
  properties: {},
  children: [],
  ...parts,
});

export const editOf = (world: ProjectWorld, path: string, studio: StudioInstance): PullRequest => ({
  kind: 'edit',
  id: world.at(path).id,
  studio,
});
export const createIn = (world: ProjectWorld, parent: string, studio: StudioInstance): PullRequest => ({
  kind: 'create',
  parentId: world.at(parent).id,
  studio,
});

/** The plan of one pull. */
export type PullPlan =
  | { readonly ok: true; readonly edits: PullsPlan['edits'] }
  | { readonly ok: false; readonly reason: Reason };

export async function planPull(world: ProjectWorld, request: PullRequest): Promise<PullPlan> {
  const { pulls, edits } = await planOf(world, request);
  const [outcome] = pulls;
  assert.ok(outcome);
  return outcome.ok ? { ok: true, edits } : { ok: false, reason: outcome.reason };
}

export const planOf = (world: ProjectWorld, ...requests: readonly PullRequest[]): Promise<PullsPlan> =>
  world.session.planPulls(requests, never);

/** Applies the plan as the engine does and refreshes the tree; every pull must be in the plan. */
export async function applyPulls(world: ProjectWorld, ...requests: readonly PullRequest[]): Promise<PullsPlan> {
  const made = await planOf(world, ...requests);
  for (const pull of made.pulls) assert.ok(pull.ok, pull.ok ? '' : reasonText(pull.reason));
  await world.session.writeAlone(made.renamed, async () => {
    for (const each of made.edits) {
      if (each.kind === 'write') await world.files.replace(each.path, each.bytes, each.precondition);
      else await world.files.remove(each.path, each.precondition);
    }
  });
  await world.refresh();
  return made;
}

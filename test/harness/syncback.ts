import assert from 'node:assert/strict';
import type { Ref } from '../../src/base/brand.ts';
import type { Model, ModelInstance } from '../../src/roblox/instances/model.ts';
import { NULL_REF } from '../../src/roblox/values/ref.ts';
import type { Variant } from '../../src/roblox/values/variant.ts';
import type { SyncbackPlan } from '../../src/project/writeback/syncback/plan-syncback.ts';
import { writeEdits } from '../../src/project/writeback/write-edits.ts';
import { never, type ProjectWorld } from './project-world.ts';
import { planSessionSyncback } from '../../src/project/session/plan-session-syncback.ts';

type Values = Readonly<Record<string, Variant>>;

/** An instance of a made-up place. */
export const instance = (
  className: string,
  name: string,
  values: Values = {},
  children: readonly ModelInstance[] = [],
  referent = `${className} ${name}`,
): ModelInstance => ({ referent, className, name, properties: new Map(Object.entries(values)), children });

export const place = (...roots: readonly ModelInstance[]): Model => ({ roots, metadata: new Map() });
export const text = (value: string): Variant => ({ type: 'String', value });
export const flag = (value: boolean): Variant => ({ type: 'Bool', value });
/** A model stores referents in place of Refs. */
export const pointer = (to: ModelInstance | undefined): Variant => ({
  type: 'Ref',
  value: (to?.referent ?? NULL_REF) as Ref,
});

export async function planOf(
  world: ProjectWorld,
  model: Model,
  kind: 'place' | 'model' = 'place',
): Promise<SyncbackPlan> {
  const plan = await planSessionSyncback(world.session, { model, kind }, never);
  if (typeof plan === 'string') throw new Error(plan);
  return plan;
}

/** Plans a syncback and applies it; a second plan must be empty. */
export async function syncback(
  world: ProjectWorld,
  model: Model,
  kind: 'place' | 'model' = 'place',
): Promise<SyncbackPlan> {
  const plan = await planOf(world, model, kind);
  assert.deepEqual(plan.refused, []);
  const { problem } = await writeEdits(plan.edits, world.files);
  assert.equal(problem, undefined);
  await world.refresh();
  return plan;
}

/** The operations of a plan, one sorted line per file. */
export const linesOf = ({ edits }: SyncbackPlan): readonly string[] =>
  edits.map(({ kind, path }) => `${kind === 'write' ? 'Writing' : 'Removing'} ${path}`).toSorted();

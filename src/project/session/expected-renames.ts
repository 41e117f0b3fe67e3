import type { Ref } from '../../base/brand.ts';
import type { RenamedInstance } from '../project-session.ts';

/** The renames of the plan that was carried out last. The instances keep their ids when the new files are read, also if their content changes too. */
export class ExpectedRenames {
  #ids: ReadonlyMap<string, Ref> = new Map();

  expect(renamed: readonly RenamedInstance[]): void {
    this.#ids = new Map(renamed.map(one => [keyOf(one.parent, one), one.id]));
  }

  /** The id of the instance that gets the name and class of `child`; `undefined` if none does. */
  idOf(parent: Ref, child: Pick<RenamedInstance, 'name' | 'className'>): Ref | undefined {
    return this.#ids.get(keyOf(parent, child));
  }
}

const keyOf = (parent: Ref, { name, className }: Pick<RenamedInstance, 'name' | 'className'>): string =>
  `${parent}\0${className}\0${name}`;

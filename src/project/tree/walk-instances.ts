import type { Ref } from '../../base/brand.ts';
import type { Instance } from '../../roblox/instances/instance.ts';

/** The instance with that id and its descendants, parents before children. Reads the children of an instance after it was yielded. */
export function* walkInstances<T extends Pick<Instance, 'children'>>(
  top: Ref,
  get: (id: Ref) => T | undefined,
): Generator<T, undefined, undefined> {
  // Children are never arguments of one call: with more than 100,000, that exceeds the stack.
  const open: Iterator<Ref>[] = [[top].values()];
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const next = last.next();
    if (next.done === true) {
      open.pop();
      continue;
    }
    const instance = get(next.value);
    if (instance === undefined) continue;
    yield instance;
    open.push(instance.children.values());
  }
}

import type { PlaceInstance } from '../protocol/studio/explorer.ts';

/** Maximum number of rows below one parent; more children are divided into ranges. */
export const MAX_ROWS = 500;
/** Children of one range. */
export const RANGE_SIZE = 250;

/** An instance in the Game view. `side` is `disk` if only the project has it, or if the view shows the project; the id is then its Ref. */
export interface InstanceNode extends PlaceInstance {
  readonly kind: 'instance';
  readonly side: 'studio' | 'disk';
  readonly parent: GameNode | undefined;
}

/** Some of the children of an instance that has too many for one list. */
export interface RangeNode {
  readonly kind: 'range';
  readonly id: string;
  /** Positions of the first and the last child, starting at 1. */
  readonly from: number;
  readonly to: number;
  readonly instances: readonly PlaceInstance[];
  /** The rows of `instances`, which are created when they are first read. */
  readonly children: readonly InstanceNode[];
  readonly parent: InstanceNode | undefined;
}

/** A row of the Game view. */
export type GameNode = InstanceNode | RangeNode;

/** The instance whose children contain the node; `undefined` at the top of the tree. */
export function parentInstanceOf(node: GameNode): InstanceNode | undefined {
  return node.parent?.kind === 'range' ? node.parent.parent : node.parent;
}

type SideOf = (instance: PlaceInstance) => InstanceNode['side'];

/** Creates the rows below `parent`. Divides more than `MAX_ROWS` children into ranges. */
export function rowsOf(
  children: readonly PlaceInstance[],
  parent: InstanceNode | undefined,
  sideOf: SideOf,
): readonly GameNode[] {
  if (children.length <= MAX_ROWS)
    return children.map(child => ({ ...child, kind: 'instance', side: sideOf(child), parent }));
  const ranges: RangeNode[] = [];
  for (let start = 0; start < children.length; start += RANGE_SIZE)
    ranges.push(rangeOf(children.slice(start, start + RANGE_SIZE), start, parent, sideOf));
  return ranges;
}

function rangeOf(
  instances: readonly PlaceInstance[],
  start: number,
  parent: InstanceNode | undefined,
  sideOf: SideOf,
): RangeNode {
  // 50,000 rows at a time would survive a garbage collection together and make it long.
  let rows: readonly InstanceNode[] | undefined;
  const range: RangeNode = {
    kind: 'range',
    id: `${parent?.id ?? ''}:${start + 1}`,
    from: start + 1,
    to: start + instances.length,
    instances,
    get children() {
      rows ??= instances.map(child => ({ ...child, kind: 'instance', side: sideOf(child), parent: range }));
      return rows;
    },
    parent,
  };
  return range;
}

import type { Ref } from '../../../src/base/brand.ts';
import type { Model, ModelInstance } from '../../../src/roblox/instances/model.ts';
import type { Variant } from '../../../src/roblox/values/variant.ts';

/** How many instances of each shape a generated game has. The proportions follow those of published games. */
export interface GameSize {
  /** Parts named `Part`, all in one folder. */
  readonly parts: number;
  /** MeshParts in models of 20. Every 8 share their mesh data. */
  readonly meshParts: number;
  /** Bytes of each distinct mesh, before compression. */
  readonly meshBytes: number;
  /** Characters: 12 parts, 11 joints with references, 6 attachments, a script. */
  readonly rigs: number;
  /** Screens of 40 GuiObjects, nested up to 10 deep. */
  readonly screens: number;
  /** Levels of one chain of nested Frames. */
  readonly depth: number;
  /** Small scripts in folders of 25. */
  readonly scripts: number;
  /** Scripts of 5,000 lines. */
  readonly largeScripts: number;
  /** Instances with 200 attributes. */
  readonly attributed: number;
}

/** About 124 instances per unit of scale; a scale of 112 is a game of 14,000 instances. */
export const gameOfScale = (scale: number, meshBytes = 2_000): GameSize => ({
  parts: 40 * scale,
  meshParts: 24 * scale,
  meshBytes,
  rigs: Math.ceil(scale / 2),
  screens: Math.ceil(scale / 2),
  depth: Math.min(400, 2 * scale),
  scripts: 20 * scale,
  largeScripts: Math.ceil(scale / 20),
  attributed: Math.ceil(scale / 10),
});

/** A place with the shapes of real games. The same size gives the same place. */
export function gamePlace(size: GameSize): Model {
  const make = new Maker();
  const gui = make.instance('StarterGui', 'StarterGui', {}, [
    ...many(size.screens, index => screen(make, index)),
    ...(size.depth > 0 ? [make.instance('ScreenGui', 'Deep', {}, [chain(make, size.depth)])] : []),
  ]);
  const workspace = make.instance('Workspace', 'Workspace', {}, [
    make.instance(
      'Folder',
      'Parts',
      {},
      many(size.parts, index => part(make, index)),
    ),
    make.instance('Folder', 'Map', {}, meshModels(make, size)),
    make.instance(
      'Folder',
      'Characters',
      {},
      many(size.rigs, index => rig(make, index)),
    ),
  ]);
  const storage = make.instance('ReplicatedStorage', 'ReplicatedStorage', {}, [
    ...many(Math.ceil(size.scripts / 25), folder =>
      make.instance(
        'Folder',
        `Modules${folder}`,
        {},
        many(Math.min(25, size.scripts - folder * 25), index => script(make, `Module${index}`, 20 + make.below(60))),
      ),
    ),
    ...many(size.largeScripts, index => script(make, `Large${index}`, 5_000)),
    make.instance(
      'Folder',
      'Settings',
      {},
      many(size.attributed, index => attributed(make, index)),
    ),
  ]);
  return { roots: [workspace, storage, gui], metadata: new Map([['ExplicitAutoJoints', 'true']]) };
}

/** The instances of a model with all below them. */
export function countInstances({ roots }: Model): number {
  let count = 0;
  const open = [...roots];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    count += 1;
    for (const child of at.children) open.push(child);
  }
  return count;
}

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Numbers instances, and draws numbers that are the same in every run. */
class Maker {
  #state = 1;
  #count = 0;

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  instance(
    className: string,
    name: string,
    values: Readonly<Record<string, Variant>> = {},
    children: readonly ModelInstance[] = [],
  ): ModelInstance {
    this.#count += 1;
    return { referent: String(this.#count), className, name, properties: new Map(Object.entries(values)), children };
  }

  bytes(length: number): Uint8Array {
    // Two random bytes of three: mesh data compresses to about that.
    return Uint8Array.from({ length }, (_, index) => (index % 3 === 0 ? 0 : this.below(256)));
  }

  placed(): Record<string, Variant> {
    const position = [this.below(2048), this.below(256), this.below(2048)] as const;
    const orientation = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const;
    return {
      CFrame: { type: 'CFrame', value: { position, orientation } },
      Size: { type: 'Vector3', value: [1 + this.below(16), 1 + this.below(16), 1 + this.below(16)] },
      Color: { type: 'Color3uint8', value: [this.below(256), this.below(256), this.below(256)] },
      Anchored: { type: 'Bool', value: true },
    };
  }
}

const reference = (to: ModelInstance): Variant => ({ type: 'Ref', value: to.referent as Ref });

const part = (make: Maker, index: number): ModelInstance =>
  make.instance('Part', 'Part', { ...make.placed(), Transparency: { type: 'Float32', value: (index % 10) / 10 } });

function meshModels(make: Maker, { meshParts, meshBytes }: GameSize): ModelInstance[] {
  let mesh = make.bytes(meshBytes);
  let drawn = 0;
  const meshPart = (): ModelInstance => {
    if (++drawn % 8 === 0) mesh = make.bytes(meshBytes);
    const isUnion = drawn % 16 === 0;
    return make.instance(isUnion ? 'UnionOperation' : 'MeshPart', isUnion ? 'Union' : `Mesh${drawn % 5}`, {
      ...make.placed(),
      PhysicalConfigData: { type: 'SharedString', value: mesh },
      ...(isUnion && { ChildData2: { type: 'SharedString', value: make.bytes(meshBytes) } }),
    });
  };
  return many(Math.ceil(meshParts / 20), index =>
    make.instance('Model', `House${index % 50}`, {}, many(Math.min(20, meshParts - index * 20), meshPart)),
  );
}

function rig(make: Maker, index: number): ModelInstance {
  const limbs = many(12, limb =>
    make.instance('Part', `Limb${limb}`, make.placed(), limb < 6 ? [make.instance('Attachment', 'Grip')] : []),
  );
  const joints = limbs
    .slice(1)
    .map((limb, joint) =>
      make.instance('Motor6D', `Joint${joint}`, { Part0: reference(limbs[joint] ?? limb), Part1: reference(limb) }),
    );
  const [root] = limbs;
  return make.instance('Model', `Character${index % 20}`, root ? { PrimaryPart: reference(root) } : {}, [
    ...limbs,
    ...joints,
    ...(index % 4 === 0 ? [script(make, 'Animate', 200)] : []),
  ]);
}

function screen(make: Maker, index: number): ModelInstance {
  let level = [make.instance('TextLabel', 'Label', gui(make))];
  for (let depth = 0; depth < 10; depth += 1)
    level = [
      make.instance('Frame', 'Frame', gui(make), level),
      make.instance('TextButton', 'Button', gui(make)),
      make.instance('UICorner', 'UICorner'),
      make.instance('UIListLayout', 'Layout'),
    ];
  return make.instance('ScreenGui', `Screen${index}`, {}, level);
}

const gui = (make: Maker): Record<string, Variant> => ({
  Size: {
    type: 'UDim2',
    value: [
      [1, make.below(100)],
      [0, make.below(100)],
    ],
  },
  BackgroundTransparency: { type: 'Float32', value: 0.5 },
});

function chain(make: Maker, depth: number): ModelInstance {
  let at = make.instance('Frame', 'Frame', gui(make));
  for (let level = 1; level < depth; level += 1) at = make.instance('Frame', 'Frame', gui(make), [at]);
  return at;
}

function script(make: Maker, name: string, lines: number): ModelInstance {
  const text = many(lines, line => `local value${line} = compute(${make.below(1_000_000)}, "${name}")`).join('\n');
  return make.instance('ModuleScript', name, { Source: { type: 'String', value: `${text}\nreturn {}\n` } });
}

function attributed(make: Maker, index: number): ModelInstance {
  const value = new Map(many(200, each => [`Setting${each}`, { type: 'Float64', value: make.below(1000) } as Variant]));
  return make.instance('Configuration', `Settings${index}`, { Attributes: { type: 'Attributes', value } });
}

import { type CFrame, identityCFrame, type Mat3, type Variant, type Vec3 } from '../values/variant.ts';
import { brickColors } from './brick-colors.ts';
import type { Reflection } from './reflection.ts';

/** A property that is a view of a stored one: scripts can set it, but place files contain only the stored one. */
export interface DerivedProperty {
  /** The canonical name of the stored property. */
  readonly stored: string;
  /** The stored value after the derived property was set; `undefined` for a value of another type. */
  readonly apply: (value: Variant, stored: Variant | undefined) => Variant | undefined;
}

type Apply = (value: Variant, stored: Variant | undefined, reflection: Reflection) => Variant | undefined;
type Rows = Readonly<Record<string, readonly [stored: string, apply: Apply]>>;

/** Looks up a derived property by its canonical name; `undefined` for every other property. */
export function derivedProperty(reflection: Reflection, className: string, name: string): DerivedProperty | undefined {
  const owner = byName.get(name)?.find(each => reflection.isA(className, each.className));
  if (owner === undefined) return undefined;
  const [stored, apply] = owner.row;
  return { stored, apply: (value, current) => apply(value, current, reflection) };
}

const same: Apply = value => value;
const not: Apply = value => (value.type === 'Bool' ? { type: 'Bool', value: !value.value } : undefined);
const color3: Apply = value => {
  const rgb = value.type === 'BrickColor' ? brickColors.get(value.value) : undefined;
  return rgb && { type: 'Color3', value: mapVec3(rgb, byte => Math.fround(byte / 255)) };
};
/** Enum.FontSize: `Size14` is a TextSize of 14. */
const textSize: Apply = (value, _stored, reflection) => {
  const item = value.type === 'Enum' ? reflection.enumItemName('FontSize', value.value) : undefined;
  const size = Number(/^Size(\d+)$/.exec(item ?? '')?.[1]);
  return Number.isNaN(size) ? undefined : { type: 'Float32', value: size };
};
const optional: Apply = value => (value.type === 'CFrame' ? { type: 'OptionalCFrame', value: value.value } : undefined);

/** A derived property that is a part of a CFrame. */
const cframePart =
  (change: (before: CFrame, value: Vec3) => CFrame): Apply =>
  (value, stored) =>
    value.type === 'Vector3'
      ? { type: 'CFrame', value: change(stored?.type === 'CFrame' ? stored.value : identityCFrame, value.value) }
      : undefined;

const position = cframePart(({ orientation }, value) => ({ position: value, orientation }));
/** Degrees, around Y, then X, then Z. */
const orientation = cframePart((before, [x, y, z]) => ({
  ...before,
  orientation: rounded(product(product(turn(1, y), turn(0, x)), turn(2, z))),
}));
/** Degrees, around X, then Y, then Z. */
const rotation = cframePart((before, [x, y, z]) => ({
  ...before,
  orientation: rounded(product(product(turn(0, x), turn(1, y)), turn(2, z))),
}));
/** One column of the rotation. */
const axis = (column: 0 | 1 | 2, sign: 1 | -1 = 1): Apply =>
  cframePart((before, value) => ({
    ...before,
    orientation: withColumn(before.orientation, column, scaled(value, sign)),
  }));
/** Sets the X axis of an attachment; its Y axis stays as close to its previous direction as possible. */
const primaryAxis = cframePart((before, value) => ({
  ...before,
  orientation: fromAxes(value, columnOf(before.orientation, 1)) ?? before.orientation,
}));
const secondaryAxis = cframePart((before, value) => ({
  ...before,
  orientation: fromAxes(columnOf(before.orientation, 0), value) ?? before.orientation,
}));

const cframeParts: Rows = {
  Position: ['CFrame', position],
  Orientation: ['CFrame', orientation],
  Rotation: ['CFrame', rotation],
};
const text: Rows = {
  TextColor: ['TextColor3', color3],
  TextWrap: ['TextWrapped', same],
  FontSize: ['TextSize', textSize],
};
const surface: Rows = { SurfaceColor: ['SurfaceColor3', color3] };
const constrained: Rows = { Value: ['value', same], ConstrainedValue: ['value', same] };
const body = ['Head', 'LeftArm', 'LeftLeg', 'RightArm', 'RightLeg', 'Torso'];

const rows: Readonly<Record<string, Rows>> = {
  Accoutrement: frameParts('Attachment', 'AttachmentPoint'),
  Attachment: { ...cframeParts, Axis: ['CFrame', primaryAxis], SecondaryAxis: ['CFrame', secondaryAxis] },
  BasePart: cframeParts,
  BaseScript: { Enabled: ['Disabled', not] },
  BodyColors: Object.fromEntries(body.map(part => [`${part}Color`, [`${part}Color3`, color3] as const])),
  DoubleConstrainedValue: constrained,
  GuiBase3d: { Color: ['Color3', color3] },
  GuiObject: {
    BackgroundColor: ['BackgroundColor3', color3],
    BorderColor: ['BorderColor3', color3],
    Transparency: ['BackgroundTransparency', same],
  },
  Humanoid: { Health: ['Health_XML', same], maxHealth: ['MaxHealth', same] },
  IntConstrainedValue: constrained,
  LocalizationTable: { DevelopmentLanguage: ['SourceLocaleId', same] },
  Model: { WorldPivot: ['WorldPivotData', optional] },
  SelectionBox: surface,
  SelectionSphere: surface,
  Sound: { MinDistance: ['RollOffMinDistance', same], Pitch: ['PlaybackSpeed', same] },
  TextBox: text,
  TextButton: text,
  TextLabel: text,
  Tool: frameParts('Grip', 'Grip'),
  TrussPart: { Style: ['style', same] },
};

function frameParts(prefix: string, stored: string): Rows {
  return {
    [`${prefix}Pos`]: [stored, position],
    [`${prefix}Right`]: [stored, axis(0)],
    [`${prefix}Up`]: [stored, axis(1)],
    [`${prefix}Forward`]: [stored, axis(2, -1)],
  };
}

const byName = new Map<string, { readonly className: string; readonly row: Rows[string] }[]>();
for (const [className, own] of Object.entries(rows))
  for (const [name, row] of Object.entries(own)) byName.set(name, [...(byName.get(name) ?? []), { className, row }]);

/** The right-handed rotation by `degrees` around one axis. */
function turn(around: 0 | 1 | 2, degrees: number): Mat3 {
  const angle = (degrees * Math.PI) / 180;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  if (around === 0)
    return [
      [1, 0, 0],
      [0, c, -s],
      [0, s, c],
    ];
  if (around === 1)
    return [
      [c, 0, s],
      [0, 1, 0],
      [-s, 0, c],
    ];
  return [
    [c, -s, 0],
    [s, c, 0],
    [0, 0, 1],
  ];
}

const product = (a: Mat3, b: Mat3): Mat3 =>
  mapMat3(a, row => [dot(row, columnOf(b, 0)), dot(row, columnOf(b, 1)), dot(row, columnOf(b, 2))]);
/** Rounds components that are close to 0 at right angles, and converts -0, which is a different value than 0. */
const rounded = (of: Mat3): Mat3 => mapMat3(of, row => mapVec3(row, n => (Math.abs(n) < 1e-7 ? 0 : Math.fround(n))));

/** The rotation with these X and Y axes, made orthonormal; `undefined` when they are parallel. */
function fromAxes(x: Vec3, y: Vec3): Mat3 | undefined {
  const right = unit(x);
  if (right === undefined) return undefined;
  const along = dot(right, y);
  const up = unit([y[0] - along * right[0], y[1] - along * right[1], y[2] - along * right[2]]);
  if (up === undefined) return undefined;
  const back: Vec3 = [
    right[1] * up[2] - right[2] * up[1],
    right[2] * up[0] - right[0] * up[2],
    right[0] * up[1] - right[1] * up[0],
  ];
  return rounded([
    [right[0], up[0], back[0]],
    [right[1], up[1], back[1]],
    [right[2], up[2], back[2]],
  ]);
}

const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const scaled = (value: Vec3, by: number): Vec3 => mapVec3(value, n => n * by + 0);
const columnOf = ([a, b, c]: Mat3, column: 0 | 1 | 2): Vec3 => [a[column], b[column], c[column]];
const mapVec3 = ([x, y, z]: Vec3, change: (n: number) => number): Vec3 => [change(x), change(y), change(z)];
const mapMat3 = ([a, b, c]: Mat3, change: (row: Vec3) => Vec3): Mat3 => [change(a), change(b), change(c)];

function unit(value: Vec3): Vec3 | undefined {
  const length = Math.hypot(...value);
  return length < 1e-6 ? undefined : scaled(value, 1 / length);
}

function withColumn([a, b, c]: Mat3, column: 0 | 1 | 2, value: Vec3): Mat3 {
  const row = (before: Vec3, n: number): Vec3 => [
    column === 0 ? n : before[0],
    column === 1 ? n : before[1],
    column === 2 ? n : before[2],
  ];
  return [row(a, value[0]), row(b, value[1]), row(c, value[2])];
}

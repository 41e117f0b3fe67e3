type Vec3 = readonly [number, number, number];
type Mat3 = readonly [Vec3, Vec3, Vec3];

// The possible directions of an axis: +X, +Y, +Z, -X, -Y, -Z.
const directions: readonly Vec3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [-1, 0, 0],
  [0, -1, 0],
  [0, 0, -1],
];

const byId = new Map<number, Mat3>();
for (const [x, right] of directions.entries())
  for (const [y, up] of directions.entries())
    if (x % 3 !== y % 3) byId.set(6 * x + y + 1, fromColumns(right, up, cross(right, up)));

/** The 24 axis-aligned rotations, which binary files store as a number. */
export const rotationOfId = (id: number): Mat3 | undefined => byId.get(id);

/** 0 unless the rotation is exactly one of the 24, so that nearly straight parts keep their rotation. */
export function idOfRotation(rotation: Mat3): number {
  const x = directions.findIndex(axis => axis.every((value, row) => value === rotation[row]?.[0]));
  const y = directions.findIndex(axis => axis.every((value, row) => value === rotation[row]?.[1]));
  const id = 6 * x + y + 1;
  const known = x < 0 || y < 0 ? undefined : byId.get(id);
  return known?.every((row, index) => row[2] === rotation[index]?.[2]) === true ? id : 0;
}

function fromColumns(x: Vec3, y: Vec3, z: Vec3): Mat3 {
  return [
    [x[0], y[0], z[0]],
    [x[1], y[1], z[1]],
    [x[2], y[2], z[2]],
  ];
}

function cross(a: Vec3, b: Vec3): Vec3 {
  // Adding 0 converts -0, which would be written as another float.
  return [a[1] * b[2] - a[2] * b[1] + 0, a[2] * b[0] - a[0] * b[2] + 0, a[0] * b[1] - a[1] * b[0] + 0];
}

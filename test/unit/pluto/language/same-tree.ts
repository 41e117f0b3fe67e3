/** A tree as plain data without formatting details: offsets, ids and grouping parentheses. */
export function shapeOf(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(shapeOf);
  if (typeof node !== 'object' || node === null) return node;
  const record = node as Record<string, unknown>;
  if (record['kind'] === 'ParenExpr') return shapeOf(record['inner']);
  const shape: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record))
    if (key !== 'start' && key !== 'end' && key !== 'id') shape[key] = shapeOf(value);
  return shape;
}

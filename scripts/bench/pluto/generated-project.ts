/** Generates two projects of the same structure, in Pluto and in TypeScript: modules in folders, each importing some earlier ones. */

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

const MODULES_PER_FOLDER = 50;
const USES = 3;

const folderOf = (module: number): string => `part${String(Math.floor(module / MODULES_PER_FOLDER)).padStart(3, '0')}`;
const nameOf = (module: number): string => `m${String(module).padStart(4, '0')}`;

/** Modules of the same folder that come before this one. */
function usedBy(module: number): readonly number[] {
  const first = module - (module % MODULES_PER_FOLDER);
  return Array.from({ length: USES }, (_, index) => module - 1 - index * 7).filter(other => other >= first);
}

/** Modules with alternately two and three blocks, about 200 lines each. */
const blocksOf = (module: number): number => 2 + (module % 2);

export const plutoProject = (modules: number): readonly GeneratedFile[] =>
  Array.from({ length: modules }, (_, module) => ({
    path: `${folderOf(module)}/${nameOf(module)}.pt`,
    text: plutoModule(module),
  }));

export const typeScriptProject = (modules: number): readonly GeneratedFile[] =>
  Array.from({ length: modules }, (_, module) => ({
    path: `${folderOf(module)}/${nameOf(module)}.ts`,
    text: typeScriptModule(module),
  }));

function plutoModule(module: number): string {
  const used = usedBy(module);
  const imports = used.map(other => `import ${nameOf(other)}\n`).join('');
  return `${imports}
${Array.from({ length: blocksOf(module) }, (_, index) => plutoBlock(module, index, used)).join('\n')}`;
}

function plutoBlock(module: number, index: number, used: readonly number[]): string {
  const id = `${module}x${index}`;
  const other = used[index % Math.max(1, used.length)];
  const fromOther =
    other === undefined
      ? `score${id}(start)`
      : `${nameOf(other)}.score${other}x${index % 2}(start) + ${nameOf(other)}.describe${other}x${index % 2}(start).len()`;
  const risky = other === undefined ? `load${id}(start)!` : `${nameOf(other)}.load${other}x${index % 2}(start)!`;
  return `// What can go wrong, what something is, and what is done with it.
// Part ${index} of module ${module}.
pub error Missing${id} {
    key: string
}

pub enum State${id} {
    Idle
    Busy { since: int, note: string }
    Done { total: float }
}

pub class Item${id} {
    name: string
    count: int
    tags: [string]

    fn label(self) string {
        return f"{self.name} x {self.count}"
    }

    fn add(mut self, by: int, tag: string) int {
        self.count = self.count + by
        if tag.len() > 3 && by >= 0 {
            self.tags.push(tag)
        }
        return self.count
    }
}

pub fn score${id}(start: int) int {
    let mut total = start
    for i in 0..10 {
        if i % 2 == 0 {
            total += i * 3
        } else {
            total -= 1
        }
    }
    return total
}

pub fn describe${id}(value: int) string {
    let state = pick${id}(value)
    match state {
        State${id}.Idle { return "idle" }
        State${id}.Busy { since, note } { return f"{note} since {since}" }
        State${id}.Done { total } { return f"done {total}" }
    }
}

fn pick${id}(value: int) State${id} {
    if value > 10 { return State${id}.Busy { since: value, note: "work" } }
    if value > 5 { return State${id}.Done { total: value as float } }
    return State${id}.Idle
}

pub fn load${id}(key: int) Item${id} {
    if key < 0 {
        raise Missing${id} { key: f"{key}" }
    }
    let mut item = Item${id} { name: "item", count: key, tags: [] }
    item.add(1, "first")
    return item
}

pub fn work${id}(start: int) int {
    let weights = Map<string, int> { "a": 1, "b": 2 }
    let twice = (x: int) => x * 2
    let item = ${risky}
    let found = load${id}(start) catch e: Missing${id} { return e.key.len() }
    let sum = ${fromOther}
    let names = [item.label(), found.label(), describe${id}(sum)]
    let mut longest = 0
    for name in names {
        longest = max(longest, name.len())
    }
    return longest + twice(weights["a"]) + sum
}
`;
}

function typeScriptModule(module: number): string {
  const used = usedBy(module);
  const imports = used.map(other => `import * as ${nameOf(other)} from './${nameOf(other)}.ts';\n`).join('');
  return `${imports}
${Array.from({ length: blocksOf(module) }, (_, index) => typeScriptBlock(module, index, used)).join('\n')}`;
}

function typeScriptBlock(module: number, index: number, used: readonly number[]): string {
  const id = `${module}x${index}`;
  const other = used[index % Math.max(1, used.length)];
  const fromOther =
    other === undefined
      ? `score${id}(start)`
      : `${nameOf(other)}.score${other}x${index % 2}(start) + ${nameOf(other)}.describe${other}x${index % 2}(start).length`;
  const risky = other === undefined ? `load${id}(start)` : `${nameOf(other)}.load${other}x${index % 2}(start)`;
  return `// What can go wrong, what something is, and what is done with it.
// Part ${index} of module ${module}.
export class Missing${id} extends Error {
    key = "";
}

export type State${id} =
    | { kind: "idle" }
    | { kind: "busy"; since: number; note: string }
    | { kind: "done"; total: number };

export class Item${id} {
    name: string = "";
    count: number = 0;
    tags: string[] = [];

    label(): string {
        return \`\${this.name} x \${this.count}\`;
    }

    add(by: number, tag: string): number {
        this.count = this.count + by;
        if (tag.length > 3 && by >= 0) {
            this.tags.push(tag);
        }
        return this.count;
    }
}

export function score${id}(start: number): number {
    let total = start;
    for (let i = 0; i < 10; i++) {
        if (i % 2 == 0) {
            total += i * 3;
        } else {
            total -= 1;
        }
    }
    return total;
}

export function describe${id}(value: number): string {
    const state = pick${id}(value);
    switch (state.kind) {
        case "idle": return "idle";
        case "busy": return \`\${state.note} since \${state.since}\`;
        case "done": return \`done \${state.total}\`;
    }
}

function pick${id}(value: number): State${id} {
    if (value > 10) { return { kind: "busy", since: value, note: "work" }; }
    if (value > 5) { return { kind: "done", total: value }; }
    return { kind: "idle" };
}

export function load${id}(key: number): Item${id} {
    if (key < 0) {
        throw Object.assign(new Missing${id}(), { key: \`\${key}\` });
    }
    const item = Object.assign(new Item${id}(), { name: "item", count: key, tags: [] });
    item.add(1, "first");
    return item;
}

export function work${id}(start: number): number {
    const weights = new Map<string, number>([["a", 1], ["b", 2]]);
    const twice = (x: number) => x * 2;
    const item = ${risky};
    let found: Item${id};
    try { found = load${id}(start); } catch (e) { return (e as Missing${id}).key.length; }
    const sum = ${fromOther};
    const names = [item.label(), found.label(), describe${id}(sum)];
    let longest = 0;
    for (const name of names) {
        longest = Math.max(longest, name.length);
    }
    return longest + twice(weights.get("a") ?? 0) + sum;
}
`;
}

/** Compares the Pluto parser with TypeScript's parser on programs of the same size and structure, in one process. */
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { parseModule } from '../../src/pluto/language/syntax/parse.ts';
import { median, type Row } from './row.ts';

const ROUNDS = 25;
const CLASSES = 1500;
/** TypeScript 6 is the last version with a callable parser. VS Code for the in-host tests includes it. */
const TYPESCRIPT =
  '../../test/host/node_modules/code-server/lib/vscode/extensions/node_modules/typescript/lib/typescript.js';

interface TypeScript {
  readonly version: string;
  createSourceFile(name: string, text: string, target: number): unknown;
}
const ESNEXT = 99;

export async function plutoParse(): Promise<readonly Row[]> {
  const path = new URL(TYPESCRIPT, import.meta.url);
  if (!existsSync(path)) {
    console.error('pluto-parse is skipped: it requires the in-host VS Code, which npm test -- host installs.');
    return [];
  }
  // A CommonJS module without types.
  const ts = createRequire(import.meta.url)(path.pathname) as TypeScript;
  const pluto = plutoProgram();
  const other = typeScriptProgram();
  const { diagnostics } = parseModule(pluto);
  if (diagnostics.length > 0) throw new Error(`the program does not parse: ${diagnostics[0]?.message}`);
  const speeds = { pluto: [] as number[], ts: [] as number[] };
  for (let round = -5; round < ROUNDS; round += 1) {
    const ours = speedOf(pluto, () => parseModule(pluto));
    const theirs = speedOf(other, () => ts.createSourceFile('a.ts', other, ESNEXT));
    if (round < 0) continue;
    speeds.pluto.push(ours);
    speeds.ts.push(theirs);
  }
  const mine = median(speeds.pluto);
  const theirs = median(speeds.ts);
  return [
    {
      name: `pluto parse time against TypeScript ${ts.version}, for the same size`,
      unit: 'ratio',
      value: theirs / mine,
      runs: ROUNDS,
      limit: 1,
      detail: `${mine.toFixed(1)} MB/s, TypeScript ${theirs.toFixed(1)} MB/s; medians of ${ROUNDS} interleaved runs over ${(pluto.length / 1e6).toFixed(1)} MB`,
    },
  ];
}

function speedOf(text: string, parse: () => unknown): number {
  const before = performance.now();
  parse();
  return text.length / 1000 / (performance.now() - before);
}

const plutoProgram = (): string =>
  Array.from(
    { length: CLASSES },
    (_, index) => `pub class Vector${index} {
    x: float
    y: float

    // The length of it.
    fn magnitude(self) float {
        return sqrt(self.x * self.x + self.y * self.y)
    }

    fn scale(mut self, by: float, names: [string]) int {
        let mut total = 0
        for name in names {
            if name.len() > 3 && by >= 1.5 {
                total += name.len() * 2
            } else {
                print(f"short {name} at {total}")
            }
        }
        self.x = self.x * by
        return total
    }
}

fn use${index}(a: int, b: Map<string, int>) int? {
    let v = Vector${index} { x: 1.0, y: 2.0 }
    let m = load(a, "some text", [1, 2, 3])!
    match m.state { State.On { at } { return at } State.Off { return none } }
}
`,
  ).join('\n');

const typeScriptProgram = (): string =>
  Array.from(
    { length: CLASSES },
    (_, index) => `export class Vector${index} {
    x: number;
    y: number;

    // The length of it.
    magnitude(): number {
        return Math.sqrt(this.x * this.x + this.y * this.y);
    }

    scale(by: number, names: string[]): number {
        let total = 0;
        for (const name of names) {
            if (name.length > 3 && by >= 1.5) {
                total += name.length * 2;
            } else {
                print(\`short \${name} at \${total}\`);
            }
        }
        this.x = this.x * by;
        return total;
    }
}

function use${index}(a: number, b: Map<string, number>): number | undefined {
    const v = new Vector${index}({ x: 1.0, y: 2.0 });
    const m = load(a, "some text", [1, 2, 3]);
    switch (m.state) { case State.On: return m.at; case State.Off: return undefined; }
}
`,
  ).join('\n');

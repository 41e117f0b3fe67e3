import type { Program } from '../backend/contract.ts';

interface Frame {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
}

/** Frames of a stack as V8 writes it, innermost first. */
const framesOf = ({ stack = '' }: Error): readonly Frame[] =>
  stack.split('\n').flatMap(line => {
    const [, offset] = /wasm-function\[\d+\]:0x([\da-f]+)\)?$/.exec(line) ?? [];
    if (offset !== undefined) return [{ file: WASM, line: Number.parseInt(offset, 16) }];
    const [, file, number] = /^\s+at (?:.* \()?(.*?):(\d+):\d+\)?$/.exec(line) ?? [];
    return file === undefined ? [] : [{ file, line: Number(number) }];
  });

/** The file of frames in WebAssembly; their line is an offset in the module. */
const WASM = 'wasm';

/** The mark of an offset in WebAssembly. */
function wasmMark(places: readonly number[], offset: number): string {
  let mark = '';
  for (let index = 0; index < places.length && (places[index] ?? 0) <= offset; index += 3)
    mark = `//@${places[index + 1]}:${places[index + 2]}`;
  return mark;
}

/** Maximum number of places in a trace. */
const MAX_PLACES = 5;

/**
 * The source places of a thrown error and its callers, innermost first: `main.pluto:3`. Places in the runtime and the standard library
 * are omitted. Empty if no place is known.
 *
 * @param source of the function that made the program
 */
export function thrownAt(error: unknown, source: string, { origin }: Program): readonly string[] {
  if (!(error instanceof Error) || origin === undefined) return [];
  const [here] = framesOf(origin.here);
  const text = source.split('\n');
  // `here` was created on this line, which locates the text in the stack.
  const line = text.findLastIndex(one => one.includes('origin: { here: new Error()'));
  const places = framesOf(error).flatMap(frame => {
    const isWasm = frame.file === WASM;
    if (!isWasm && frame.file !== here?.file) return [];
    const marked = isWasm ? wasmMark(origin.wasm, frame.line) : text[frame.line - (here?.line ?? 0) + line];
    const [, file, number] = /\/\/@(\d+):(\d+)$/.exec(marked ?? '') ?? [];
    return file === undefined ? [] : [`${origin.files[Number(file)] ?? ''}:${number}`];
  });
  return places.filter((place, index) => place !== places[index - 1]).slice(0, MAX_PLACES);
}

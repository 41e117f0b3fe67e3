import type { Program } from '../backend/contract.ts';

interface Frame {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
}

/** Frames of a stack as V8 writes it, innermost first. */
const framesOf = ({ stack = '' }: Error): readonly Frame[] =>
  stack.split('\n').flatMap(line => {
    const [, file, number] = /^\s+at (?:.* \()?(.*?):(\d+):\d+\)?$/.exec(line) ?? [];
    return file === undefined ? [] : [{ file, line: Number(number) }];
  });

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
    if (frame.file !== here?.file) return [];
    const [, file, number] = /\/\/@(\d+):(\d+)$/.exec(text[frame.line - here.line + line] ?? '') ?? [];
    return file === undefined ? [] : [`${origin.files[Number(file)] ?? ''}:${number}`];
  });
  return places.filter((place, index) => place !== places[index - 1]).slice(0, MAX_PLACES);
}

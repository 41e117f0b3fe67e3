import type { Program } from '../backend/contract.ts';

interface Frame {
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
}

/** Frames of a stack as V8 writes it, innermost first. */
const framesOf = ({ stack = '' }: Error): readonly Frame[] =>
  stack.split('\n').flatMap(line => {
    const [, file, number] = /^\s+at (?:.* \()?(.*?):(\d+):\d+\)?$/.exec(line) ?? [];
    return file === undefined ? [] : [{ file, line: Number(number) }];
  });

/** So many places are told. */
const MAX_PLACES = 5;

/**
 * Where in the text of the program something was thrown, and from where that was called, innermost first: `main.pluto:3`. Neither the
 * runtime's places nor those of modules that come with the language; empty where none is known.
 *
 * @param source of the function that made the program
 */
export function thrownAt(error: unknown, source: string, { origin }: Program): readonly string[] {
  if (!(error instanceof Error) || origin === undefined) return [];
  const [here] = framesOf(origin.here);
  const text = source.split('\n');
  // Wherever the text is, this line of it is the one that `here` was made on.
  const line = text.findLastIndex(one => one.includes('origin: { here: new Error()'));
  const places = framesOf(error).flatMap(frame => {
    if (frame.file !== here?.file) return [];
    const [, file, number] = /\/\/@(\d+):(\d+)$/.exec(text[frame.line - here.line + line] ?? '') ?? [];
    return file === undefined ? [] : [`${origin.files[Number(file)] ?? ''}:${number}`];
  });
  return places.filter((place, index) => place !== places[index - 1]).slice(0, MAX_PLACES);
}

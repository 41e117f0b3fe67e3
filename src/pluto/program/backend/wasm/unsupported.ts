/** Thrown for code that WebAssembly code cannot express. It stays JavaScript. The message says what the code contains. */
export class Unsupported extends Error {}

/** @param what the code contains */
export const unsupported = (what = 'a value of JavaScript'): never => {
  throw new Unsupported(what);
};

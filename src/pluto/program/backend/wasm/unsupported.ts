/** Thrown for code that WebAssembly code cannot express. It stays JavaScript. */
export class Unsupported extends Error {}

export const unsupported = (): never => {
  throw new Unsupported();
};

/** A comparison with the code of a failed call of the system or of Node. */
const comparison = /\.code\s*[!=]==\s*'(?:E[A-Z]{3,}|ERR_[A-Z_]+)'/g;

/** The comparisons with codes of errors that do not use `base/errno.ts`. */
export const findErrorCodes = (text: string): readonly string[] =>
  Array.from(text.matchAll(comparison), ([found]) => found);

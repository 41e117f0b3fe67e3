/** Chooses the text for a count. Every message with a number and a noun uses this function. */
export const plural = <T>(count: number, one: T, many: T): T => (count === 1 ? one : many);

/** A count with its noun, as `1 file` or `3 files`. Only for texts that are not translated, and for nouns with a plural in -s. */
export const counted = (count: number, noun: string): string => plural(count, `${count} ${noun}`, `${count} ${noun}s`);

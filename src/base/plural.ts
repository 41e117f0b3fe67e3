/** Chooses the text for a count: every text with a number and a noun goes through it. */
export const plural = <T>(count: number, one: T, many: T): T => (count === 1 ? one : many);

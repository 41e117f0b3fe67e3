/** Chooses the text for a count. Every message with a number and a noun uses this function. */
export const plural = <T>(count: number, one: T, many: T): T => (count === 1 ? one : many);

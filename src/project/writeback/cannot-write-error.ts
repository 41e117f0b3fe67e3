/** A pull that cannot be carried out whole, and so is not begun. The message says why, and what to do. */
export class CannotWriteError extends Error {}

/** Something that the `syncbackRules` of the project keep out: nothing is done, and nobody needs to be told. */
export class ExcludedByRule extends CannotWriteError {}

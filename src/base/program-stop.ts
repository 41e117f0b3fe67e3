/** Thrown through a running program by its host, which has ended it: nothing of the program catches it. */
export class ProgramStop extends Error {}
